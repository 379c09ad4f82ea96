package rules

import (
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

func (c *compiler) labelMatchers(f *file, n *yamlnode.Node) []fingerprint.LabelMatcher { return nil }
func (c *compiler) streamMatcher(f *file, n *yamlnode.Node) func(*ingest.Stream) bool  { return nil }
func (c *compiler) query(f *file, n *yamlnode.Node) bool                               { return true }
