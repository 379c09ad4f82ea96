package analyze

// Link leads from an incident to its data in another program.
type Link struct {
	// Name says which program, such as "Grafana".
	Name string `json:"name"`
	URL  string `json:"url"` // an address of the web
}
