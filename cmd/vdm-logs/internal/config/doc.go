// Package config reads a configuration file of known keys and lays it under
// flags and environment.
//
// [Load] reads the file and reports everything that is wrong with it, each
// problem with its place. [Resolve] then decides every key: the command line
// beats the environment, which beats the chosen profile, which beats what the
// file says outside of profiles, which beats the default. Every [Value] knows
// where it comes from. What the keys are is the caller's: a list of [Key].
//
// A file looks like this:
//
//	profile: prod                # the profile where none is chosen
//	tz: Europe/Berlin            # any key, for all profiles
//	profiles:
//	  prod:
//	    loki: {addr: "https://loki.example"}   # any key, for this profile
//
// The package is internal: it changes with the command.
package config
