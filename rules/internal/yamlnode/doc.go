// Package yamlnode reads a YAML file into a small tree of nodes that know
// where they were written. It is the only place that knows the YAML module:
// everything above it sees [Node], positions and [Error] values.
//
// [Parse] accepts the part of YAML that rule files use: one document of maps
// with string keys, lists and scalars, anchors and aliases included. Explicit
// tags, merge keys, second documents, duplicate keys, text that is not UTF-8
// and documents that grow by their aliases are reported with a position, all
// of them in one call. Only a syntax error hides what comes after it.
//
// Lines and columns count from 1; columns count Unicode code points, and an
// end column is the one after the last.
package yamlnode
