// Package output writes the problems of rule files for people and programs:
// text with excerpts, JSON, SARIF, JUnit and the annotations of GitHub.
package output
