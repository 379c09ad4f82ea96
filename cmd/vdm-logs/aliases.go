package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/vdm-logs/vdm-logs/fingerprint"
)

// loadAliases reads the files that 'rules diff --write-aliases' writes; later
// files win.
func loadAliases(paths []string) (map[string]string, error) {
	var out map[string]string
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, usageError{err: fmt.Errorf("reading aliases: %w", err)}
		}
		var f struct {
			SchemaVersion int               `json:"schemaVersion"`
			Aliases       map[string]string `json:"aliases"`
		}
		if err := json.Unmarshal(b, &f); err != nil {
			return nil, usageError{err: fmt.Errorf("reading aliases: %s: %w", path, err), hint: "'vdm-logs rules diff OLD NEW --corpus LOGS --write-aliases FILE' writes such a file."}
		}
		if f.SchemaVersion != 1 {
			return nil, usageError{err: fmt.Errorf("reading aliases: %s: schemaVersion %d is not 1", path, f.SchemaVersion)}
		}
		for from, to := range f.Aliases {
			for _, id := range []string{from, to} {
				if _, err := fingerprint.ParseID(id); err != nil {
					return nil, usageError{err: fmt.Errorf("reading aliases: %s: %q: %w", path, id, err)}
				}
			}
			if out == nil {
				out = map[string]string{}
			}
			out[from] = to
		}
	}
	return out, nil
}
