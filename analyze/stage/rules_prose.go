package stage

// countable are the words of things that are counted and are no bytes.
var countable = []string{"replicas|responses|nodes|votes|acks|partitions|replies|rows|records|messages|events|items|files|hosts|attempts|tests|chunks|parts|pods|retries|shards|workers|peers|servers|users|requests|pages|tasks|jobs|packages|objects"}

// transferNouns name what people cancel when they cancel a transfer.
const transferNouns = "download|downloads|downloading|downloaded|upload|uploads|transfer|transfers|fetch|request|requests|copy|sync|stream|pull|archive|file|update|fetching|copying|syncing|pulling|uploading"

// notLoaded excludes what is done with keys and settings before any connection.
var notLoaded = []string{"load|loading|loaded|parse|parsing|open|opening|file|files|config|configuration|enabled|disabled|configured|renew|renewal"}

// notOwn excludes addresses that are no host's to be found.
var notOwn = []string{"client|peer|local|remote|socket|interface|mac|memory|email|mail|postal|billing|shipping|wallet address", "bind|binding|listen|listening"}

// gaveUp holds the words of those who do not wait any longer.
var gaveUp = []string{"gave|giving|given|aborting|aborted|failing|failed|cancelling|cancelled|canceled|dropping|dropped|skipping|skipped|rejecting|rejected|closing|killing|killed|error"}

// rankCounts is that of byte counts that differ, beside no word for how the
// transfer ended: any such word says more.
const rankCounts = RankPhase - 1

// proseRules read failures in the words in which people tell them, where no
// error of a library stands: who did not do what in which time, how much came
// of how much, and what was given up.
var proseRules = []Rule{
	// The name.
	{ID: "prose-resolve", Match: "no|zero|empty dns ~ answer|answers|record|records|response|result|reply", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "{resolve} ~ gave|returned|returns|yielded|yields|brought no|nothing|empty|zero", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "cannot|can't|couldn't|unable|failed ~ find|get|determine|obtain ~ address|addresses|hostname|ip", Not: notOwn, Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "could|can not ~ find|get|determine|obtain ~ address|addresses|hostname|ip", Not: notOwn, Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "{resolve} * not|never|no ~ answer|answered|reply|replied|respond|responded", Stage: Resolve, Rank: rankResolve},
	{ID: "prose-resolve", Match: "{resolve} * invalid host|hostname|address|name", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "host|hostname|domain|server ~ does|did not exist", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "host|hostname|domain ~ doesn't|didn't exist", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "host|hostname|domain ~ not be found", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "cannot|not|couldn't|unable|failed * into|to|for an|its|any address", Not: notOwn, Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "prose-resolve", Match: "host|hostname|domain ~ cannot|can't|couldn't be found", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},

	// The connection.
	{ID: "prose-route", Match: "no route to * {peer}", Stage: Connect, Rank: rankConnect, Kind: "unreachable"},
	{ID: "prose-no-listener", Match: "nobody|nothing|none answers|answered|answering|listens|listening|listened ~ at|on", Stage: Connect, Rank: rankConnect},
	{ID: "prose-no-listener", Match: "no one|process|service answers|answered|answering|listens|listening|listened ~ at|on", Stage: Connect, Rank: rankConnect},
	{ID: "prose-no-listener", Match: "not listening on|at", Stage: Connect, Rank: rankConnect, Kind: "refused"},
	{ID: "prose-no-listener", Match: "syn|synack ~ unanswered|lost|ignored", Stage: Connect, Rank: rankConnect},
	{ID: "prose-no-listener", Match: "port # is|was closed", Stage: Connect, Rank: RankRead + 3, Kind: "refused"},
	{ID: "prose-connect", Match: "connection|connections|socket|link ~ never|not ~ established|opened|made|accepted", Not: []string{"secure|ssl|tls connection|channel"}, Stage: Connect, Rank: RankRead + 4},
	{ID: "prose-connect", Match: "not accepting connections|requests", Stage: Connect, Rank: RankRead + 4, Kind: "refused"},
	{ID: "prose-connect", Match: "{peer} ~ appears|seems ~ down|offline|dead", Stage: Connect, Rank: RankRead - 1},
	{ID: "prose-connect", Match: "not|never|didn't|refuses accept|accepted ~ connection|connections", Stage: Connect, Rank: rankConnect},
	{ID: "prose-connect", Match: "cannot|can't|couldn't|unable|failed ~ open|establish|make socket|connection|connections to", Stage: Connect, Rank: rankAnswer},
	{ID: "prose-connect", Match: "not|never|no ~ answer|answered|reply|ack ~ syn|connect", Stage: Connect, Rank: rankAnswer},
	{ID: "prose-connect", Match: "no connection ~ to|could", Stage: Connect, Rank: RankRead + 1},

	// The handshake.
	{ID: "prose-tls", Match: "secure|ssl|tls session|connection|channel ~ never|not ~ established|completed|made|finished|ready", Stage: TLS, Rank: rankTLS},
	{ID: "prose-tls", Match: "handshake|handshaking returned|returns", Not: []string{"handshake returned|returns 0", "handshake returned|returns success|ok"}, Stage: TLS, Rank: rankTLS},
	{ID: "prose-greeting", Match: "{fail} ~ reading|receiving|exchanging ~ banner|identification", Stage: TLS, Rank: RankPhase, Confidence: 0.5},
	{ID: "prose-greeting", Match: "{timeout} before authentication|auth|login|handshake", Stage: TLS, Rank: RankPhase, Confidence: 0.5},
	{ID: "prose-tls", Match: "cannot|unable|failed|never|couldn't|rejected|refused ~ tls|ssl|handshake", Not: notLoaded, Stage: TLS, Rank: rankTLS - 2},
	{ID: "prose-tls", Match: "could|can not ~ tls|ssl|handshake", Not: notLoaded, Stage: TLS, Rank: rankTLS - 2},
	{ID: "prose-certificate", Match: "certificate ~ another|wrong|different|other host|name|domain|hostname", Stage: TLS, Rank: rankTLS - 1},
	{ID: "prose-certificate", Match: "certificate * cannot|can't|couldn't|not ~ authenticated|verified|validated", Stage: TLS, Rank: rankTLS - 1},
	{ID: "prose-certificate", Match: "certificate ** not ok|valid|trusted|accepted", Stage: TLS, Rank: rankTLS - 1},

	// The queue.
	{ID: "prose-queue", Match: "waited|waiting ~ for * slot|slots|permit|permits|turn|token|tokens", And: []string{"{giveup}"}, Stage: QueueWait, Rank: rankQueue},
	{ID: "prose-queue", Match: "get|take|obtain|borrow|acquire|fetch|reserve|lease * from|of ~ pool", And: []string{"{fail}"}, Stage: QueueWait, Rank: RankRead + 2},
	{ID: "prose-queue", Match: "no|zero token|tokens|credit|credits left|available", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "prose-queue", Match: "waited|waiting ~ for ~ {pool}", And: []string{"{giveup}"}, Stage: QueueWait, Rank: rankQueue},
	{ID: "prose-queue", Match: "no|zero ~ slot|slots|permit|permits|connection|connections|worker|workers|token|tokens ~ became|becomes|becoming|was|were available|free|ready", Not: []string{"no|zero cached|reusable|persistent|kept"}, Stage: QueueWait, Rank: rankQueue},
	{ID: "prose-queue", Match: "too many ~ in flight|running|parallel|concurrent|simultaneous|outstanding|queued", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "prose-queue", Match: "too many parallel|concurrent|simultaneous|outstanding|queued|running", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "prose-queue", Match: "too many ~ in flight", Stage: QueueWait, Rank: rankQueue - 1},

	{ID: "prose-queue", Match: "query|acquire|checkout|slot|admission wait {timeout}", Stage: QueueWait, Rank: rankQueue},
	{ID: "prose-queue", Match: "request|message|task older than <budget>", Stage: QueueWait, Rank: rankQueue - 1, Confidence: 0.6},
	{ID: "prose-queue", Match: "queue|pool|buffer ~ no|not|doesn't|without|hasn't ~ room|space|capacity", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "prose-queue", Match: "{peer} busy * queue|queued|queues|flow", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "prose-queue", Match: "failed|unable|cannot|couldn't|can't|not ~ acquire|obtain|borrow|lease ~ slot|connection|permit|token|worker", Stage: QueueWait, Rank: rankQueue - 1},

	// The request.
	{ID: "prose-send", Match: "only|just|could ~ pushed|push|sent|send|wrote|write|uploaded|upload # ~ of|out #", Stage: Send, Rank: rankSend},
	{ID: "prose-send", Match: "stopped reading|accepting|taking ~ data|bytes|body|request|upload|input", Stage: Send, Rank: rankSend},
	{ID: "prose-send", Match: "{peer} stopped|stops reading|accepting|taking", Stage: Send, Rank: rankSend},
	{ID: "prose-send", Match: "{peer} ~ never|not|didn't ~ read|accept|take|consume ~ request|body|upload|data", Stage: Send, Rank: rankSend},

	// The answer.
	{ID: "prose-no-answer", Match: "not|never|hasn't|haven't said a word", Stage: NoResponse, Rank: rankAnswer},
	{ID: "prose-no-answer", Match: "not|never|hasn't|haven't ~ heard|seen|received anything|back|word", Stage: NoResponse, Rank: RankRead},
	{ID: "prose-no-answer", Match: "heard|received|got|getting|seen nothing|anything|word back|from|for|in|within", Stage: NoResponse, Rank: RankRead},
	{ID: "prose-no-answer", Match: "not|never|didn't|doesn't|hasn't|haven't ~ answer|answered|reply|replied|respond|responded|react|reacted", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "prose-no-answer", Match: "no reaction|word|sign|feedback from", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "prose-no-answer", Match: "left|remained|stayed|went unanswered", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "prose-no-answer", Match: "outstanding|pending|unanswered request|requests * {closed}", Stage: NoResponse, Rank: RankRead, Kind: "closed"},
	{ID: "prose-no-answer", Match: "request|requests outstanding|pending|unanswered * {closed}", Stage: NoResponse, Rank: RankRead, Kind: "closed"},
	{ID: "prose-no-answer", Match: "quiet|silent|inactive for <budget> * outstanding|pending|waiting|unanswered", Stage: NoResponse, Rank: RankPhase},
	{ID: "prose-no-answer", Match: "no message|messages|packet|packets ~ in|within|for ~ <budget>", Stage: NoResponse, Rank: RankRead},
	{ID: "prose-no-answer", Match: "never|not|didn't|hasn't came|come|got|get back", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "prose-no-answer", Match: "no|without|never|not ~ {response} ~ within|in|for|after <budget>", Not: []string{"response body"}, Stage: NoResponse, Rank: rankAnswer},
	{ID: "prose-no-answer", Match: "silent|quiet|mute after|since ~ request|asked", Stage: NoResponse, Rank: rankBody + 1},
	{ID: "prose-no-answer", Match: "waiting|waited|wait ~ for ~ {response}", And: []string{"{giveup}"}, Stage: NoResponse, Rank: rankAnswer},
	{ID: "prose-no-answer", Match: "{response} never|not ~ arrived|came|received|started|began|sent|seen", Not: []string{"response body"}, Stage: NoResponse, Rank: rankAnswer},
	{ID: "prose-no-answer", Match: "{timeout} before|without * data|response|header|headers|answer|reply|byte|bytes", Stage: NoResponse, Rank: rankAnswer},

	// The body's silence.
	{ID: "prose-silent", Match: "no byte|bytes|data|traffic|packet|packets|chunk|progress|frame|frames|segment|segments|samples ~ in|for|within|since <budget>", Stage: BodyStalled, Rank: rankBody},
	{ID: "prose-silent", Match: "response|headers|header|body|data|bytes ~ arrived|came|began|started|received * then|but nothing|silence", Stage: BodyStalled, Rank: rankBody},
	{ID: "prose-silent", Match: "chunk|part|segment|block|piece ~ never|not ~ arrived|came|received|delivered", Stage: BodyStalled, Rank: rankBody},
	{ID: "prose-silent", Match: "{stall} * at|after <received> ~ of|out <declared>", If: []string{"received<declared"}, Not: []string{"upload|uploading"}, Stage: BodyStalled, Rank: rankBody},
	{ID: "prose-silent", Match: "stopped sending|delivering|transmitting ~ data|bytes|anything", Not: []string{"may|might have"}, Stage: BodyStalled, Rank: rankBody - 1},
	{ID: "prose-silent", Match: "nothing ~ came|arrived|followed|received ~ after <received> bytes|byte", Stage: BodyStalled, Rank: rankBody},
	{ID: "prose-silent", Match: "{timeout} ~ <budget> of inactivity|silence|idleness", Stage: BodyStalled, Rank: RankPhase + 1, Confidence: 0.5},
	{ID: "prose-silent", Match: "elapsed|expired|passed without receiving|getting|seeing", Stage: BodyStalled, Rank: RankRead + 1, Confidence: 0.5},
	{ID: "prose-slow", Match: "throughput|speed|bandwidth|rate ~ fell|fallen|dropped|sank|sunk|collapsed|stayed|remained|below|under", And: []string{"{giveup}"}, Stage: BodyStalled, Rank: rankBody},
	{ID: "prose-silent", Match: "{stall}", And: []string{"{giveup}", "download|downloading|transfer|connection|stream|server|peer|socket|response|body|bytes|data"}, Not: []string{"idle|keepalive", "if|when|unless|would|will", "upload|uploading"}, Stage: BodyStalled, Rank: RankRead + 1},
	{ID: "prose-silent", Match: "download|transfer|stream|pull|fetch ~ hung|hangs|hanging|stuck|frozen ~ at|for|after|on", Stage: BodyStalled, Rank: rankBody},

	// The body's end.
	{ID: "prose-cut", Match: "{closed} * middle|midway|halfway|partway|mid", Not: []string{"middle|midway ~ operation|query|command|statement|call|transaction"}, Stage: Truncated, Rank: rankShort, Kind: "closed"},
	{ID: "prose-cut", Match: "{closed} * during|while ~ {whole}", Not: []string{"upload|uploading|sending|writing"}, Stage: Truncated, Rank: rankShort, Kind: "closed"},
	{ID: "prose-cut", Match: "download|transfer|stream|fetch|copy|pull ~ interrupted", Not: []string{"interrupted by"}, Stage: Truncated, Rank: RankRead - 3},
	{ID: "prose-cut", Match: "{reset} * middle|midway|halfway|partway|mid", Stage: Truncated, Rank: rankShort, Kind: "reset"},
	{ID: "prose-cut", Match: "{closed} * at|after <received> ~ of|out <declared>", If: []string{"received<declared"}, Stage: Truncated, Rank: rankShort, Kind: "closed"},
	{ID: "prose-cut", Match: "{reset} * at|after <received> ~ of|out <declared>", If: []string{"received<declared"}, Stage: Truncated, Rank: rankShort, Kind: "reset"},
	{ID: "prose-cut", Match: "transfer|download|body|stream|response * interrupted|stopped|ended|broke|cut before|in|mid ~ complete|completion|complete|end|middle", Stage: Truncated, Rank: rankShort},
	{ID: "prose-cut", Match: "stream|body|response|reply|answer|transfer|download ended|finished|stopped|terminated before", Not: []string{"token|tokens stream", "before ~ header|headers"}, Stage: Truncated, Rank: rankShort - 1},
	{ID: "prose-cut", Match: "incomplete|partial|truncated download|transfer|response|body|read of|for|from", Stage: Truncated, Rank: rankShort - 1},
	{ID: "prose-cut", Match: "download|transfer|body|response incomplete|truncated", Not: []string{"truncated for|to", "shown|displayed|logged"}, Stage: Truncated, Rank: rankShort - 1},
	{ID: "prose-short", Match: "read|received|got|downloaded|transferred|copied|fetched <received> ** expected|expecting|wanted <declared>", If: []string{"received<declared"}, And: []string{"bytes|byte|length|size|body|content"}, Not: []string{"{timeout}", "status"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "finished|ended|stopped|done|completed|got|received|read|have|has|with|is|after <received> * although|but|while|whereas|though|instead|of|where * <declared> ~ announced|promised|declared|expected|advertised|stated|wanted|needed", If: []string{"received<declared"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "only|got|received|read|have|has|downloaded <received> * says|states|lists|announces|claims|reports <declared>", If: []string{"received<declared"}, And: []string{"bytes|byte|length|size"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "promised|announced|declared|advertised|want|wanted|expected|descriptor|manifest <declared> ** <received>", If: []string{"received<declared"}, And: []string{sized + "|shorter|incomplete|truncated"}, Not: []string{"{timeout}", "status"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "{premature} ** <received> ** <declared> expected|promised|announced|wanted|declared", If: []string{"received<declared"}, Not: []string{"{timeout}", "status"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "body|file|layer|archive|response|download|image|content|object|blob ~ shorter|smaller than", Stage: Truncated, Rank: rankShort - 1},
	{ID: "prose-short", Match: "ended|stopped|finished|closed at|after ~ <received> ** said|says|promised|declared|announced|length <declared>", If: []string{"received<declared"}, Not: []string{"{timeout}"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "{closed} * with|and <missing> still|missing|left|outstanding|remaining", Stage: Truncated, Rank: rankShort, Kind: "closed"},
	{ID: "prose-short", Match: "shorter|smaller|less than ~ announced|declared|expected|promised|advertised|stated", Stage: Truncated, Rank: rankShort},
	{ID: "prose-short", Match: "body|response|content|file|message|archive|data|download|read too short|small", Stage: Truncated, Rank: rankShort},
	{ID: "prose-short", Match: "downloaded|received|actual|read|got|local|transferred|file|current ~ length|size|bytes <received> * reported|expected|declared|announced|remote|original|source ~ length|size|bytes <declared>", If: []string{"received<declared"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "failed|aborted|stopped|ended|broke after transferring|receiving|downloading|reading|copying <received> ~ in <elapsed>", If: []string{"received>0"}, Not: []string{"{timeout}"}, Stage: Truncated, Rank: rankShort},
	{ID: "prose-short", Match: "failed|aborted|stopped|ended|broke after transferring|receiving|downloading|reading|copying <received>", If: []string{"received>0"}, Not: []string{"{timeout}"}, Stage: Truncated, Rank: rankShort - 1},
	{ID: "prose-short", Match: "size|length <received> * expected|expecting <declared>", If: []string{"received<declared"}, And: []string{"{premature}"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "content length <declared> ~ downloaded|received|read|got only|just <received>", If: []string{"received<declared"}, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "written|wrote|received|read|downloaded|transferred only <received> ~ <declared>", If: []string{"received<declared"}, Not: countable, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "only|just <received> of|out <declared>", If: []string{"received<declared"}, And: []string{"{fail}"}, Not: countable, Stage: Truncated, Rank: rankCounts},
	{ID: "prose-short", Match: "bytes|byte ~ missing|short|lacking", And: []string{"body|file|response|download|transfer|archive|content|stream"}, Stage: Truncated, Rank: rankShort - 1},

	// The bound.
	{ID: "prose-large", Match: "{size} * larger|more|bigger|greater|longer than * accept|accepts|allow|allows|allowed|permit|permits|permitted|support|supports|supported|willing|limit|maximum|max|cap", Stage: SizeExceeded, Rank: rankShort},
	{ID: "prose-large", Match: "{size} ~ rejected|refused|skipped|dropped|declined ** <declared> * most|max|maximum|limit|up|than", Stage: SizeExceeded, Rank: rankShort - 1},
	{ID: "prose-large", Match: "too big|large ** size|length|bytes <declared>", Stage: SizeExceeded, Rank: rankShort + 1},
	{ID: "prose-large", Match: "data|body|payload|file|message of <declared> * exceeds|exceeded|over|above|larger|bigger", Stage: SizeExceeded, Rank: rankShort},
	{ID: "prose-large", Match: "overlong|overlarge|oversized|oversize header|headers|body|response|message|request|file|payload", Stage: SizeExceeded, Rank: rankShort},
	{ID: "prose-large", Match: "{size} * beyond|past|above|over * limit|maximum|max|cap|quota|bound|threshold|allowance|allow|allowed|accept", Stage: SizeExceeded, Rank: rankShort - 1},
	{ID: "prose-large", Match: "size|length|byte|bytes limit|cap|quota|bound|maximum ~ exceeded|reached|hit|crossed|passed|blown", Stage: SizeExceeded, Rank: rankShort},
	{ID: "prose-large", Match: "body|response|archive|message|payload|file ~ not|doesn't|won't fit", Stage: SizeExceeded, Rank: rankShort - 1},

	// The clock, and who cancelled.
	{ID: "prose-gave-up", Match: "{giveup} * after <after>", Not: []string{"idle|unused|keepalive", "lock|locks|locked|lease|approval|input|login"}, Stage: TotalDeadline, Rank: RankClock},
	{ID: "prose-ran-long", Match: "ran|running|runs longer|over than|the", And: []string{"{giveup}"}, Stage: TotalDeadline, Rank: RankClock},
	{ID: "prose-ceiling", Match: "budget|allowance of <budget> ~ used|spent|exhausted|over|gone|exceeded|up", Stage: TotalDeadline, Rank: RankClock + 1},
	{ID: "prose-gave-up", Match: "in|within <budget> * {giveup}", Not: []string{"idle|unused|keepalive", "lock|locks|locked|lease|approval|input|login"}, Stage: TotalDeadline, Rank: RankBare + 2},
	{ID: "prose-cancelled", Match: "cancelled|canceled|aborted|stopped|interrupted by ~ user|operator|admin|administrator|hand", And: []string{transferNouns}, Stage: OuterCancelled, Rank: RankOuter + 2},
	{ID: "prose-ceiling", Match: "hit|reached|exceeded|passed|over|past ~ <budget> ceiling|limit|cap|budget|allowance|maximum|deadline", Stage: TotalDeadline, Rank: RankClock},
	{ID: "prose-cancelled", Match: "sigterm|sigint * {giveup}", And: []string{transferNouns}, Stage: OuterCancelled, Rank: RankOuter + 2},
	{ID: "prose-cancelled", Match: "shutting|shut|going down * {cancel}", Stage: OuterCancelled, Rank: RankOuter + 2},
	{ID: "prose-cancelled", Match: "parent|caller|requester|user|operator|tab|page ~ went|gone away", Stage: OuterCancelled, Rank: RankRead},
	{ID: "prose-cancelled", Match: "user|operator|caller|admin ~ pressed|hit|clicked|chose cancel|stop|abort", Stage: OuterCancelled, Rank: RankRead},
	{ID: "prose-cancelled", Match: "user|operator|admin ~ cancelled|canceled|aborted|stopped|interrupted", And: []string{transferNouns}, Stage: OuterCancelled, Rank: RankOuter + 2},

	// What is bounded, and by what.
	{ID: "prose-stalled", Match: "without|no ~ new byte|bytes", And: gaveUp, Stage: BodyStalled, Rank: rankShort},
	{ID: "prose-stalled", Match: "speed|rate|throughput <missing> ~ for|over|during", If: []string{"missing=0"}, And: []string{"cancelling|canceling|cancelled|canceled|aborting|aborted"}, Stage: BodyStalled, Rank: rankShort},
	{ID: "prose-size", Match: "{peer} ~ announces|announced|declares|declared <declared> ~ allow|allowed|accept|limit", And: []string{"refusing|refused|rejecting|rejected|aborted|aborting"}, Stage: SizeExceeded, Rank: RankCode},
	{ID: "prose-short", Match: "got|received|read <received> of <declared> * before * {closed}", If: []string{"received>0", "received<declared"}, Stage: Truncated, Rank: RankCode},
	{ID: "prose-tls", Match: "silent|quiet|unresponsive during|in|amid ~ {tls}", Stage: TLS, Rank: RankCode},
	{ID: "prose-send", Match: "{peer} ~ accepts|accepted|takes|took|reads no more data|bytes", Stage: Send, Rank: RankCode},
	{ID: "prose-send", Match: "receiver|recipient ~ accepts|accepted|takes|took|reads no more data|bytes", Stage: Send, Rank: RankCode},
	{ID: "prose-send", Match: "broken pipe ~ while|when|during ~ sending|writing|uploading", Stage: Send, Rank: RankCode, Kind: "reset"},
	{ID: "prose-send", Match: "failed|unable to send packet|packets", Stage: Send, Rank: RankRead},
	{ID: "prose-send", Match: "returned error ** write ** connection lost", Stage: Send, Rank: rankSend, Kind: "closed"},
	{ID: "prose-deadline", Match: "deadline of <budget> * hit|reached|passed|over|up|exceeded", Stage: TotalDeadline, Rank: RankClock + 1},
	{ID: "prose-deadline", Match: "exceeded ~ overall|total limit of <budget>", Stage: TotalDeadline, Rank: RankClock + 1},
	{ID: "prose-queue", Match: "waited <elapsed> for ~ slot|permit|token|turn|lease", And: gaveUp, Stage: QueueWait, Rank: RankCode},
	{ID: "prose-queue", Match: "limiter|semaphore|bulkhead|throttle ~ no permit|permits", Stage: QueueWait, Rank: RankCode},
	{ID: "prose-queue", Match: "pool reached maximum size", And: []string{"{fail}"}, Stage: QueueWait, Rank: RankCode},
}
