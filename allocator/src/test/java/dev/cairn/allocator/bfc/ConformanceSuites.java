package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.SubAllocator;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All suites of cases; a subclass gives the source. docs/allocator-conformance.md says which case is which test. */
abstract class ConformanceSuites
  implements
    TensorFlowCases,
    XlaCases,
    OnnxRuntimeCases,
    RmmCases,
    TimeCases,
    CollectionCases {
  @RegisterExtension
  final Validated validated = new Validated();

  @Override
  public BfcAllocator over(SubAllocator source, BfcOptions options) {
    return validated.watch(new BfcAllocator(source, options));
  }
}
