package dev.cairn.runtime.cli.doctor;

import java.util.Optional;

/**
 * The processor's kernels.
 *
 * @param serving which serve, the preferred ones first
 * @param lack why others do not
 */
public record KernelFacts(String serving, Optional<String> lack) {}
