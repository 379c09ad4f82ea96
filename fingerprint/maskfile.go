package fingerprint

import "bytes"

// fileEnds are the ends of names of files that hold data: such a name is a
// value. Ends of source files are not among them, since a place in the source
// tells which fault it is, nor ends that names of other things have too.
var fileEnds = setOf(
	"log", "txt", "json", "jsonl", "xml", "yaml", "yml", "toml", "conf", "cfg", "ini", "properties", "csv", "tsv", "html", "htm", "pdf", "md",
	"jar", "war", "zip", "gz", "tgz", "tar", "bz2", "xz", "zst", "rpm", "deb", "iso", "img", "whl", "nupkg", "apk", "dll", "exe", "so", "dylib",
	"dat", "tmp", "bak", "swp", "pid", "pem", "crt", "cer", "pfx", "p12", "jks", "png", "jpg", "jpeg", "gif", "svg", "ico", "mp3", "mp4",
	"pcap", "pcapng", "parquet", "avro", "orc", "sqlite", "mdb", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "plist", "dump", "hprof",
)

// isFileName reports whether b is the bare name of a file that holds data.
func isFileName(b []byte) bool {
	dot := bytes.LastIndexByte(b, '.')
	if dot <= 0 || len(b)-dot-1 > 10 || !fileEnds[string(b[dot+1:])] {
		return false
	}
	for _, c := range b[:dot] {
		if !isWordByte(c) && c != '-' && c != '.' {
			return false
		}
	}
	return isWordByte(b[0]) || b[0] == '-' || b[0] == '.'
}
