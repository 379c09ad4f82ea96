// Package limiter shares bandwidth between transfers: fairly, by bytes, under
// limits that nest.
//
// A [Limiter] holds the global limit, a [Queue] the limit of a group of tasks
// and a [Task] that of one piece of work, say one file that is fetched in
// several segments. Each of the three may be unlimited, and each may change
// while transfers wait. Every transfer asks its task before it moves on:
//
//	l := limiter.New(4 << 20)               // 4 MiB/s for everything
//	updates := l.NewQueue(1 << 20)          // of which updates get 1 MiB/s
//	task := updates.NewTask(limiter.Unlimited, 1)
//	...
//	err := task.Wait(ctx, len(chunk))
//
// or wraps its stream in [Task.Reader] or [Task.Writer].
//
// # Model
//
// Each limit is a token bucket. A request is granted in one step when all
// three buckets above it cover it, and all three are charged together; until
// then it takes from none of them. Requests above [MaxStep] bytes are served
// in several steps, so that one large request cannot hold up everybody; what
// was set aside for a request that is cancelled half-way goes back in full.
//
// The order of grants is start-time fair queueing (Goyal, Vin, Cheng:
// "Start-time Fair Queueing: A Scheduling Algorithm for Integrated Services
// Packet Switching Networks", SIGCOMM 1996). A task carries a start tag, the
// bytes it has been granted divided by its weight, on the scale of a virtual
// time that is the tag of the task served last. Of the tasks whose own limits
// permit a grant the one with the smallest tag is next; a task that comes back
// from idling starts at the virtual time and can claim nothing for the past.
// Theorem 1 of the paper holds for a server of any rate, also one that varies,
// which is why limits may change at any moment: while two tasks f and m both
// wait,
//
//	|W(f)/w(f) - W(m)/w(m)| <= s(f)/w(f) + s(m)/w(m)
//
// where W is bytes granted in any interval, w the weight and s the largest
// step asked for. A task held back by its own limit, or a queue by its, is
// passed over, not waited for; when its limit permits again it rejoins at the
// virtual time of that moment. Fairness is between tasks, whatever queue they
// are in: a queue is a bound, not a share.
//
// # Promises
//
//	atomic      a grant charges task, queue and global bucket, or none
//	order       within one task first come, first served, exactly
//	fair        the theorem above, between any two tasks nothing else bounds
//	no theft    a bucket is charged when a request is granted, not earlier and
//	            by nobody else; no request ever waits for tokens another takes
//	no deadlock a change of any limit reconsiders every waiter at once
//	refund      a cancelled request leaves all buckets and the tag of its task
//	            as though it had never been made
//	burst       in any interval of length d no bucket grants more than
//	            rate x (d + burst) + twice the largest step; a timer that fires
//	            late is made up for, by 250 ms at most
//	cost        a request that no limit applies to takes no lock; one that is
//	            granted at once allocates nothing; a waiting one has no
//	            goroutine of ours and shares one timer with all the others
//
// [Slots] shares out the right to be active at all, to whoever holds the least.
//
// Time spent in Wait or Acquire is the limiter's doing and not the peer's silence:
// whoever bounds silence stops that clock around the call.
//
// The package imports only the standard library. All types may be used by any
// number of goroutines at once.
package limiter
