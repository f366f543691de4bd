package dev.cairn.runtime.autograd;

/** One term of an operand's gradient; whoever takes it releases it. */
record RowTerm(int operand, SharedGradient gradient) {}
