package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	httpconfig "github.com/prometheus/common/config"
	"gopkg.in/yaml.v3"

	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

// lokiSettings says where Loki is and who asks, but for the address in a flag.
func (s stdio) lokiSettings(ctx context.Context) (loki.Config, error) {
	set, err := s.settings()
	if err != nil {
		return loki.Config{}, err
	}
	cfg, err := lokiConfig(set, func(v config.Value) (string, error) { return runSecret(ctx, v) })
	cfg.Now = s.now
	cfg.Logger = s.logger()
	return cfg, err
}

// lokiConfig turns settings into those of the client. Secrets that a program
// prints are fetched by secret.
//
// Everything that logcli has a variable for goes the way of the variables,
// whichever layer says it; the rest is put together as an http_client_config
// and read by the module that defines its form.
func lokiConfig(set *config.Settings, secret func(config.Value) (string, error)) (loki.Config, error) {
	byVariable := map[string]string{}
	rest := map[string]any{}
	exceptions := set.Text("loki.no_proxy") != "" // which belong to a proxy of the same form
	for _, v := range set.Values() {
		if v.Texts == nil || !ofConnection(v) {
			continue
		}
		ofFile := v.Key.Group == authGroup && v.Layer != config.FromEnvironment
		switch {
		case strings.HasPrefix(v.Key.Env, "LOKI_") && !ofFile && !(v.Name == "loki.proxy_url" && exceptions):
			byVariable[v.Key.Env] = strings.Join(v.Texts, " ")
		default:
			if err := put(rest, v, secret); err != nil {
				return loki.Config{}, err
			}
		}
	}
	cfg, err := loki.FromEnv(func(name string) string { return byVariable[name] })
	if err != nil {
		return cfg, usageError{err: err, hint: configViewHint}
	}
	if text := set.Text("loki.timeout"); text != "" {
		if cfg.Timeout, err = parseLength("loki.timeout", text); err != nil {
			return cfg, err
		}
	}
	if len(rest) == 0 {
		return cfg, nil
	}
	text, err := yaml.Marshal(rest)
	if err != nil {
		return cfg, err
	}
	if cfg.HTTP, err = httpconfig.LoadHTTPConfig(string(text)); err != nil {
		return cfg, usageError{err: fmt.Errorf("the settings of Loki's connection do not fit together: %w", err), hint: configViewHint}
	}
	return cfg, carryInHeader(&cfg)
}

const configViewHint = "Run 'vdm-logs config view' for what is set, and where."

// ofConnection reports whether a value is one of the client's settings, and
// not one of what is read.
func ofConnection(v config.Value) bool {
	return strings.HasPrefix(v.Name, "loki.") && !strings.HasPrefix(v.Key.Env, "VDM_LOGS_")
}

// put files a value under its name in a tree of maps.
func put(tree map[string]any, v config.Value, secret func(config.Value) (string, error)) error {
	parts := strings.Split(v.Name, ".")[1:]
	if parts[0] == "http_headers" { // a header's name may hold dots
		parts = []string{parts[0], strings.Join(parts[1:len(parts)-1], "."), parts[len(parts)-1]}
	}
	last := len(parts) - 1
	var value any = v.Texts
	switch v.Key.Kind {
	case config.Command:
		text, err := secret(v)
		if err != nil {
			return err
		}
		parts[last], value = strings.TrimSuffix(parts[last], "_command"), text
	case config.Bool:
		value, _ = strconv.ParseBool(v.Texts[0])
	case config.Text, config.Path, config.Secret:
		value = v.Texts[0]
	}
	for _, p := range parts[:last] {
		below, ok := tree[p].(map[string]any)
		if !ok {
			below = map[string]any{}
			tree[p] = below
		}
		tree = below
	}
	if _, twice := tree[parts[last]]; twice {
		return usageError{err: fmt.Errorf("%s: the secret is also given in the file itself", v.Name), hint: "Keep one of " + parts[last] + " and " + parts[last] + "_command."}
	}
	tree[parts[last]] = value
	return nil
}

// carryInHeader moves credentials to where the client can send them in a
// header of another name.
func carryInHeader(cfg *loki.Config) error {
	h := cfg.HTTP
	if cfg.AuthHeader == "" {
		return nil
	}
	switch {
	case h.BasicAuth == nil && h.Authorization == nil && h.OAuth2 == nil:
	case h.BasicAuth != nil && h.BasicAuth.UsernameFile == "" && h.BasicAuth.PasswordFile == "":
		cfg.Username, cfg.Password = h.BasicAuth.Username, string(h.BasicAuth.Password)
	case h.Authorization != nil && h.Authorization.Type == "Bearer":
		cfg.BearerToken, cfg.BearerTokenFile = string(h.Authorization.Credentials), h.Authorization.CredentialsFile
	default:
		return usageError{err: errors.New("loki.auth_header goes with a user name and password, or with a bearer token"), hint: "Use basic_auth with password_command, or authorization, or leave auth_header out."}
	}
	return nil
}

// secretPatience bounds a program that prints a secret: somebody may have to
// unlock something.
const secretPatience = time.Minute

// runSecret runs a program and returns what it prints, without the line end.
func runSecret(ctx context.Context, v config.Value) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, secretPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, v.Texts[0], v.Texts[1:]...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	hint := "Run it by hand: it must print the secret and end with 0. " + configViewHint
	if err := cmd.Run(); err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("no end after %s", secretPatience)
		}
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return "", codeError{code: exitRefused, err: fmt.Errorf("%s (%s) did not work: %w", v.Name, v.Texts[0], withWords(err, said)), hint: hint}
	}
	text := strings.TrimRight(out.String(), "\r\n")
	if text == "" {
		return "", codeError{code: exitRefused, err: fmt.Errorf("%s (%s) printed nothing", v.Name, v.Texts[0]), hint: hint}
	}
	return text, nil
}

// withWords adds what a program said to how it ended.
func withWords(err error, said string) error {
	if said == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, said)
}
