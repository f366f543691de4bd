package dev.cairn.kernels.cuda.load;

import java.util.List;
import java.util.Optional;

/**
 * The result of a search for cuDNN.
 *
 * @param library the loaded library, if any
 * @param refused libraries that were found but not used
 * @param notes unusual observations, one sentence each
 */
public record FoundCudnn(Optional<CudnnLibrary> library, List<RefusedLibrary> refused, List<String> notes) {
  public FoundCudnn {
    refused = List.copyOf(refused);
    notes = List.copyOf(notes);
  }
}
