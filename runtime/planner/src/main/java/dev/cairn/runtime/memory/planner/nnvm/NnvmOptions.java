package dev.cairn.runtime.memory.planner.nnvm;

import java.util.stream.LongStream;

/**
 * The settings that upstream reads from the environment, and the differences between its versions. A value; start from
 * {@link #DEFAULT}.
 *
 * @param matchRange NNVM_EXEC_MATCH_RANGE: a free storage of {@code size / range} to {@code size * range} bytes serves
 *   a request of {@code size}; 0: none does
 * @param colours NNVM_EXEC_NUM_TEMP: above 1, nodes get so many colours, and a storage goes only from a node to
 *   another of its colour, so that branches may run in parallel
 * @param autoSearch NNVM_AUTO_SEARCH_MATCH_RANGE (MXNet also MXNET_MEMORY_OPT): try 1, 2, 4 … up to the range and
 *   keep the smallest
 * @param fourByteElements whether every element counts as 4 bytes, as in NNVM, TVM and MXNet 1.9.1, whatever its type
 */
public record NnvmOptions(long matchRange, int colours, boolean autoSearch, boolean fourByteElements,
  InPlaceRule inPlaceRule) {
  /** No environment, real sizes, the first rule for types. */
  public static final NnvmOptions DEFAULT = new NnvmOptions(16, 1, false, false, InPlaceRule.EQUAL_TYPE);

  /** The options by which MXNet 1.9.1 plans when no environment variable says otherwise. */
  public static final NnvmOptions MXNET = new NnvmOptions(16, 1, false, true, InPlaceRule.EQUAL_SIZE_TRUE_IDENTITY);

  public NnvmOptions {
    if (matchRange < 0 || colours < 1) {
      throw new IllegalArgumentException("bad options: matchRange=%d colours=%d".formatted(matchRange, colours));
    }
  }

  public NnvmOptions withMatchRange(long range) {
    return new NnvmOptions(range, colours, autoSearch, fourByteElements, inPlaceRule);
  }

  public NnvmOptions withColours(int number) {
    return new NnvmOptions(matchRange, number, autoSearch, fourByteElements, inPlaceRule);
  }

  public NnvmOptions withAutoSearch() {
    return new NnvmOptions(matchRange, colours, true, fourByteElements, inPlaceRule);
  }

  public NnvmOptions withFourByteElements() {
    return new NnvmOptions(matchRange, colours, autoSearch, true, inPlaceRule);
  }

  public NnvmOptions withInPlaceRule(InPlaceRule rule) {
    return new NnvmOptions(matchRange, colours, autoSearch, fourByteElements, rule);
  }

  /** The match ranges to try, ascending. Empty when a search is asked for up to 0: upstream then plans nothing. */
  public long[] matchRanges() {
    if (!autoSearch) {
      return new long[] {matchRange};
    }
    return LongStream.iterate(1, range -> range > 0 && range <= matchRange, range -> range * 2)
      .toArray();
  }

  /** The bytes that a request for the entry asks for. */
  long requestBytes(NnvmEntry entry) {
    return fourByteElements ? entry.elements() * 4 : entry.bytes();
  }
}
