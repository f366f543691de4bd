package dev.cairn.runtime.autograd;

/** One term of an operand's gradient; the receiver releases it. */
record RowTerm(int operand, SharedGradient gradient) {}
