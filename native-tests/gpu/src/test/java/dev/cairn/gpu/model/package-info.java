/** Whole models on CUDA: planned as on the processor, with the same results. */
package dev.cairn.gpu.model;
