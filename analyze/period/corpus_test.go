package period

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"
)

var (
	corpusPath  = flag.String("corpus", "", "predict the cases of this JSONL file")
	predictPath = flag.String("predict", "", "write the predictions here")
)

type corpusCase struct {
	ID           string   `json:"id"`
	Family       string   `json:"family"`
	ResolutionNS int64    `json:"resolution_ns"`
	Streams      []string `json:"streams"`
	Stream       []int    `json:"stream"`
	TimestampsNS []int64  `json:"timestamps_ns"`
}

func (c corpusCase) series() []Series {
	out := make([]Series, len(c.Streams))
	for i, n := range c.Streams {
		out[i] = Series{Stream: n, Resolution: time.Duration(c.ResolutionNS)}
	}
	for i, t := range c.TimestampsNS {
		s := 0
		if c.Stream != nil {
			s = c.Stream[i]
		}
		out[s].Times = append(out[s].Times, t)
	}
	return out
}

func TestPredictCorpus(t *testing.T) {
	if *corpusPath == "" {
		return
	}
	in, err := os.Open(*corpusPath)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(*predictPath)
	if err != nil {
		t.Fatal(err)
	}
	enc := json.NewEncoder(out)
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 1<<26)
	for sc.Scan() {
		var c corpusCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		t0 := time.Now()
		r := Find(c.series(), Options{})
		el := time.Since(t0)
		type per struct {
			PeriodNS int64  `json:"period_ns"`
			Kind     string `json:"kind"`
			Score    float64
			Jit      float64
		}
		ps := []per{}
		for _, x := range r {
			ps = append(ps, per{int64(x.Period), string(x.Kind), x.Evidence, x.Jitter.Seconds()})
		}
		if err := enc.Encode(map[string]any{"id": c.ID, "periodic": len(ps) > 0, "periods": ps, "elapsed_ns": el.Nanoseconds()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
