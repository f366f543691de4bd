package dev.cairn.runtime.cli.doctor;

/**
 * Kernels that were compiled when Cairn was built, for a machine without NVRTC.
 *
 * @param families sources of which a GPU here takes the kernels; 0 when there are none, or none is taken
 * @param evidence what made them, or why none is taken; empty where that was not checked
 */
public record PrecompiledFacts(int families, String evidence) {
  /** The facts where NVRTC is there, so that no kernels from build time are needed. */
  static final PrecompiledFacts NOT_NEEDED = new PrecompiledFacts(0, "");
}
