package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class SignalFamilyTest {
  static final String CASES = """
    DFT(float32[2x8x3x1]) -> float32[2x8x3x2]
    DFT(float32[2x8x3x1], _, int64:1) -> float32[2x8x3x2]
    DFT{onesided=1}(float64[2x8x1], int64:5) -> float64[2x3x2]
    DFT{inverse=1}(float32[8x2], int32:4, int64:0) -> float32[4x2]
    DFT{inverse=1, onesided=1}(float32[2x6x2]) -> float32[2x10x1]
    DFT(float32[2x8x3x1], _, int64:3) !! wrong axis, or a last axis that is neither real (1) nor complex (2)
    DFT(float32[2x8x3]) !! wrong axis, or a last axis that is neither real (1) nor complex (2)
    DFT(float32[2x8x1], int64:0) !! dft_length must be at least 1: dft_length=0
    DFT{onesided=1}(float32[2x8x2]) !! onesided needs a real signal
    DFT{inverse=1, onesided=1}(float32[2x8x1]) !! onesided needs a real signal
    STFT(float32[2x20x1], int64:4, float32[8]) -> float32[2x4x5x2]
    STFT(float32[2x20], int64:4, _, int64:8) -> float32[2x4x5x2]
    STFT{onesided=0}(float32[2x20x2], int32:4, float32[8], int32:8) -> float32[2x4x8x2]
    STFT(float32[2x20x2], int64:4, float32[8]) !! a signal [batch,time,1]
    STFT(float32[2x20x1], int64:4) !! a window or a length of frames is needed
    STFT(float32[2x20x1], int64:4, float32[6], int64:8) !! the window is not as long as a frame
    STFT(float32[2x20x1], int64:0, float32[8]) !! no such frames: frame_step=0
    STFT(float32[2x7x1], int64:1, float32[8]) !! no such frames
    MelWeightMatrix(int32:8, int32:16, int32:8192, float32:0, float32:4096) -> float32[9x8]
    MelWeightMatrix{output_datatype="float64"}(int64:8, int64:16, int64:8192, float32:0, float32:4096) -> float64[9x8]
    MelWeightMatrix(int32:0, int32:16, int32:8192, float32:0, float32:4096) !! num_mel_bins=0
    MelWeightMatrix(int32:8, int32:16, int32:8192, float32:0, float32:16384) !! bands outside of the spectrum
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
