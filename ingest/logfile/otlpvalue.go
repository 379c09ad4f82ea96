package logfile

import "encoding/json"

// anyValue is OTLP's AnyValue in JSON.
type anyValue struct {
	StringValue *string         `json:"stringValue"`
	IntValue    json.RawMessage `json:"intValue"`
	DoubleValue json.RawMessage `json:"doubleValue"`
	BoolValue   *bool           `json:"boolValue"`
	BytesValue  *string         `json:"bytesValue"`
	KvlistValue *kvlist         `json:"kvlistValue"`
	ArrayValue  *valueList      `json:"arrayValue"`
}

type kvlist struct {
	Values []struct {
		Key   string   `json:"key"`
		Value anyValue `json:"value"`
	} `json:"values"`
}

type valueList struct {
	Values []anyValue `json:"values"`
}

// plainValue turns a list of keys and values into the JSON object that it
// stands for, and a list of values into an array: a record whose body is such
// is read as the logger's object.
func plainValue(kind string, raw []byte) ([]byte, bool) {
	var v anyValue
	var err error
	if kind == "kvlistValue" {
		err = json.Unmarshal(raw, &v.KvlistValue)
	} else {
		err = json.Unmarshal(raw, &v.ArrayValue)
	}
	if err != nil {
		return nil, false
	}
	return v.appendTo(nil), true
}

// appendTo appends the value as plain JSON.
func (v *anyValue) appendTo(b []byte) []byte {
	switch {
	case v.StringValue != nil:
		return appendJSON(b, *v.StringValue)
	case len(v.IntValue) > 0:
		return appendNumber(b, v.IntValue)
	case len(v.DoubleValue) > 0:
		return appendNumber(b, v.DoubleValue)
	case v.BoolValue != nil:
		return appendJSON(b, *v.BoolValue)
	case v.BytesValue != nil:
		return appendJSON(b, *v.BytesValue)
	case v.KvlistValue != nil:
		b = append(b, '{')
		for i := range v.KvlistValue.Values {
			if i > 0 {
				b = append(b, ',')
			}
			one := &v.KvlistValue.Values[i]
			b = append(appendJSON(b, one.Key), ':')
			b = one.Value.appendTo(b)
		}
		return append(b, '}')
	case v.ArrayValue != nil:
		b = append(b, '[')
		for i := range v.ArrayValue.Values {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.ArrayValue.Values[i].appendTo(b)
		}
		return append(b, ']')
	}
	return append(b, "null"...)
}

// appendNumber appends a number that JSON may have in quotes.
func appendNumber(b, raw []byte) []byte {
	var n json.Number
	if json.Unmarshal(raw, &n) == nil && n != "" {
		return append(b, n...)
	}
	return append(b, raw...)
}

func appendJSON(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}
