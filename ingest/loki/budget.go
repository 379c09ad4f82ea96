package loki

import (
	"fmt"
	"sync/atomic"
)

// Budget bounds how many bytes of lines several Readers yield together. A few
// pages more may have been fetched by then; they are not counted, so that where
// a reading ends does not depend on how fast its requests were answered. A
// Budget may be used by several goroutines.
type Budget struct {
	most int64
	used atomic.Int64
}

// NewBudget makes a Budget of so many bytes.
func NewBudget(bytes int64) *Budget { return &Budget{most: bytes} }

// take takes off the bytes of a line. It is an *OverBudgetError when they
// are more than there were left.
func (b *Budget) take(bytes int64) error {
	if b != nil && b.used.Add(bytes) > b.most {
		return &OverBudgetError{Bytes: b.most}
	}
	return nil
}

// OverBudgetError says that a reading came to the end of its Budget.
type OverBudgetError struct {
	Bytes int64 // of the Budget
}

// Error tells the bound.
func (e *OverBudgetError) Error() string {
	return fmt.Sprintf("more than the %d bytes that may be read", e.Bytes)
}
