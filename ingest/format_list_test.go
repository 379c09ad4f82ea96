package ingest

import "testing"

func TestEachFormatHasAnExampleOfIt(t *testing.T) {
	list := RecordFormats()
	if len(list) != len(formatNames) {
		t.Errorf("%d formats are listed, %d have a name", len(list), len(formatNames))
	}
	for i, f := range list {
		if int(f.Format) != i {
			t.Errorf("%v stands at %d", f.Format, i)
		}
		got := assemble(t, AssemblerOptions{}, entriesOf(testStream("p"), 0, 1, f.Example))
		if len(got) != 1 || got[0].Format != f.Format {
			t.Errorf("the example of %v is read as %v", f.Format, got[0].Format)
		}
	}
}
