package stage

// codeRules read the numbers that systems and libraries give to network
// errors, where the sentence beside them is missing, cut or in another
// language. Written from the published tables: URL Loading System error codes,
// WinHTTP and WinINet error codes and the HRESULTs made of them, Winsock's
// numbers as HRESULTs, Schannel's status codes, libcurl's CURLcode, Oracle Net
// messages and SQLSTATE. A sentence that names a phase outranks them.
var codeRules = []Rule{
	// Apple's NSURLErrorDomain and kCFErrorDomainCFNetwork.
	{ID: "apple-timeout", Match: "error domain|cf * code|error 1001", Stage: TotalDeadline, Rank: RankClock},
	{ID: "apple-timeout", Match: "load failed error code 1001", Stage: TotalDeadline, Rank: RankClock},
	{ID: "apple-resolve", Match: "error domain|cf * code|error 1003|1006", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "apple-connect", Match: "error domain|cf * code|error 1004|1009", Stage: Connect, Rank: RankCode},
	{ID: "apple-lost", Match: "error domain|cf * code|error 1005", Stage: Truncated, Rank: RankRead + 1, Kind: "closed", Confidence: 0.5},
	{ID: "apple-tls", Match: "error domain|cf * code|error 1200|1201|1202|1203|1204|1205|1206", Stage: TLS, Rank: RankCode},
	{ID: "apple-size", Match: "error domain|cf * code|error 1103", Stage: SizeExceeded, Rank: RankCode},
	{ID: "apple-cancelled", Match: "error domain|cf * code|error 999", Stage: OuterCancelled, Rank: RankOuter + 2},

	// WinHTTP and WinINet, as numbers and as HRESULTs; Winsock as HRESULTs.
	{ID: "win-timeout", Match: "winhttp|wininet|win|error|code|failed|hresult * 12002", Stage: TotalDeadline, Rank: RankClock},
	{ID: "win-timeout", Match: "0x80072ee2|0x800705b4|0x80131505", Stage: TotalDeadline, Rank: RankClock},
	{ID: "win-resolve", Match: "winhttp|wininet|win|error|code|failed|hresult * 12007", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "win-resolve", Match: "0x80072ee7|0x80072af9|0x80072afc", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "win-connect", Match: "winhttp|wininet|win|error|code|failed|hresult * 12029", Stage: Connect, Rank: RankCode},
	{ID: "win-connect", Match: "0x80072efd|0x8007274c|0x80072751|0x80072743", Stage: Connect, Rank: RankCode},
	{ID: "win-refused", Match: "0x8007274d", Stage: Connect, Rank: RankCode, Kind: "refused"},
	{ID: "win-ended", Match: "winhttp|wininet|win|error|code|failed|hresult * 12030|12152", Stage: NoResponse, Rank: RankRead, Kind: "closed"},
	{ID: "win-ended", Match: "0x80072efe|0x80072f78", Stage: NoResponse, Rank: RankRead, Kind: "closed"},
	{ID: "win-reset", Match: "winhttp|wininet|win|error|code|failed|hresult * 12031", Stage: NoResponse, Rank: RankRead, Kind: "reset"},
	{ID: "win-reset", Match: "0x80072eff|0x80072746|0x80072745", Stage: NoResponse, Rank: RankRead, Kind: "reset"},
	{ID: "win-tls", Match: "winhttp|wininet|win|error|code|failed|hresult * 12157|12175", Stage: TLS, Rank: RankCode},
	{ID: "win-tls", Match: "0x80072f7d|0x80072f8f|0x80090326|0x80090331|0x80090325|0x80090304|0x800b0109", Stage: TLS, Rank: RankCode},
	{ID: "win-status", Match: "0x801901f8", Stage: ServerSide, Phase: "unknown", Rank: RankCode},
	{ID: "win-status", Match: "0x8019019d", Stage: SizeExceeded, Rank: RankCode},

	// CURLcode, by number and by name.
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 5|6", Stage: Resolve, Rank: RankRead + 8, Kind: "not-found"},
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 7", Stage: Connect, Rank: RankRead + 8},
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 18|92", Stage: Truncated, Rank: RankRead + 8},
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 28", Stage: TotalDeadline, Rank: RankBare},
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 35|60", Stage: TLS, Rank: RankRead + 8},
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 52", Stage: NoResponse, Rank: RankRead + 8, Kind: "closed"},
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 55", Stage: Send, Rank: RankRead + 8},
	{ID: "curl-code", Match: "curl|curle * code|error|errno|exit|rc|returned|status 63", Stage: SizeExceeded, Rank: RankRead + 8},
	// cURL, as PHP has it.
	{ID: "curl-code", Match: "c url error 5|6", Stage: Resolve, Rank: RankRead + 8, Kind: "not-found"},
	{ID: "curl-code", Match: "c url error 7", Stage: Connect, Rank: RankRead + 8},
	{ID: "curl-code", Match: "c url error 18|92", Stage: Truncated, Rank: RankRead + 8},
	{ID: "curl-code", Match: "c url error 28", Stage: TotalDeadline, Rank: RankBare},
	{ID: "curl-code", Match: "c url error 35|60", Stage: TLS, Rank: RankRead + 8},
	{ID: "curl-code", Match: "c url error 52", Stage: NoResponse, Rank: RankRead + 8, Kind: "closed"},
	{ID: "curl-code", Match: "c url error 55", Stage: Send, Rank: RankRead + 8},
	{ID: "curl-code", Match: "c url error 63", Stage: SizeExceeded, Rank: RankRead + 8},
	{ID: "curl-name", Match: "curle couldnt resolve host|proxy", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "curl-name", Match: "curle couldnt connect", Stage: Connect, Rank: RankCode},
	{ID: "curl-name", Match: "curle partial file", Stage: Truncated, Rank: RankCode},
	{ID: "curl-name", Match: "curle got nothing", Stage: NoResponse, Rank: RankCode, Kind: "closed"},
	{ID: "curl-name", Match: "curle send error", Stage: Send, Rank: RankCode},
	{ID: "curl-name", Match: "curle filesize exceeded", Stage: SizeExceeded, Rank: RankCode},

	// Oracle Net.
	{ID: "oracle-connect", Match: "ora|tns 12170|12535|12541|12543|12545|12560", Stage: Connect, Rank: RankCode},
	{ID: "oracle-resolve", Match: "ora|tns 12154|12262", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "oracle-queue", Match: "ora|tns 12516|12518|12519|12520|12526", Stage: QueueWait, Rank: RankCode, Confidence: 0.6},
	{ID: "oracle-send", Match: "ora|tns 12608", Stage: Send, Rank: RankCode},
	{ID: "oracle-receive", Match: "ora|tns 12609", Stage: NoResponse, Rank: RankCode},
	{ID: "oracle-lost", Match: "ora|tns 3113|03113|3114|03114|3135|03135|12537|12547|12570|17410", Stage: NoResponse, Rank: RankPhase, Kind: "closed", Confidence: 0.6},
	{ID: "oracle-cancel", Match: "ora 1013|01013", Stage: OuterCancelled, Rank: RankOuter + 2},

	// SQLSTATE, where a driver prints it beside the word.
	{ID: "sqlstate-connect", Match: "sqlstate|state 08001|08004", Stage: Connect, Rank: RankRead + 4},
	{ID: "sqlstate-login", Match: "hyt01", Stage: Connect, Rank: RankRead + 6},
	{ID: "sqlstate-timeout", Match: "hyt00", Not: []string{"login =timeout"}, Stage: TotalDeadline, Rank: RankClock},
}
