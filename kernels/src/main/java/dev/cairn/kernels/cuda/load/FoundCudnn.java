package dev.cairn.kernels.cuda.load;

import java.util.List;
import java.util.Optional;

/**
 * What looking for cuDNN came to.
 *
 * @param library what was loaded; convolutions do without when there is none
 * @param refused what was found and not used
 * @param notes what was odd, a sentence each
 */
public record FoundCudnn(Optional<CudnnLibrary> library, List<RefusedLibrary> refused, List<String> notes) {
  public FoundCudnn {
    refused = List.copyOf(refused);
    notes = List.copyOf(notes);
  }
}
