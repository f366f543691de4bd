package dev.cairn.kernels.cuda.compile;

import java.util.List;

/** A source was not compiled at build time, and there is no NVRTC to compile it now. */
public final class NotPrecompiled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotPrecompiled(CudaProgram source, String architecture, List<String> options, String made) {
    super("this kernel was not compiled at build time, and there is no NVRTC: source=%s architecture=%s".formatted(
      source.name(), architecture) + " options=%s made=%s".formatted(options, made));
  }
}
