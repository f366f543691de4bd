package dev.cairn.runtime.operator.gradient;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ImageGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Resize([1x2x3x4], _, float32:[1,1,2,2])
      Resize{mode="linear"}([1x2x3x4], _, float32:[1,1,2,1.5])
      Resize{mode="linear", coordinate_transformation_mode="align_corners"}([1x1x3x4], _, _, int64:[1,1,5,3])
      Resize{mode="linear", coordinate_transformation_mode="asymmetric"}([2x3], _, float32:[0.6,2.3])
      Resize{mode="linear", antialias=1}([1x1x6x6], _, float32:[1,1,0.5,0.5])
      Resize{mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1}([4x5], _, float32:[2,0.7])
      Resize{mode="nearest", nearest_mode="floor", axes=[-1]}([2x4], _, _, int64:[7])
      Resize{mode="linear"}([2x3x2], _, float32:[2,1,3])
      Resize([4], _, float32:[1.3])
      Resize([3x2], _, _, int64:[3,2])
      Resize([0x2], _, float32:[1,2])
      AffineGrid([2x2x3], int64:[2,3,4,5])
      AffineGrid{align_corners=1}([1x3x4], int64:[1,1,2,3,2])
      CenterCropPad([5x4], int64:[2,7])
      CenterCropPad{axes=[-1,0]}([4x2x5], int64:[8,1])
      """);
  }

  @TestFactory
  Stream<DynamicTest> gradientsOfSamplesAndTheirPositionsAreCentralDifferences() {
    return """
      GridSample([2x2x3x4], [2x3x2x2]) in -0.95..0.95
      GridSample([1x1x4x3], [1x5x4x2])
      GridSample{align_corners=1}([1x2x4x3], [1x5x4x2])
      GridSample{padding_mode="border"}([1x1x4x3], [1x5x4x2])
      GridSample{padding_mode="reflection"}([1x1x4x3], [1x5x4x2])
      GridSample{padding_mode="reflection", align_corners=1}([1x1x4x3], [1x5x4x2])
      GridSample{mode="cubic"}([1x1x4x3], [1x5x4x2])
      GridSample{mode="cubic", padding_mode="border"}([1x1x4x3], [1x5x4x2])
      GridSample{mode="cubic", padding_mode="reflection"}([1x1x4x3], [1x5x4x2])
      GridSample{mode="nearest"}([1x1x4x3], [1x5x4x2])
      GridSample([1x1x3x2x4], [1x2x2x3x3])
      GridSample([2x1x5], [2x4x1])
      GridSample([1x0x2x2], [1x2x2x2])
      """.lines().map(String::strip).map(line -> DynamicTest.dynamicTest(line, () -> GradientDifferences.checkFirst(
      line)));
  }

  @TestFactory
  Stream<DynamicTest> gradientsOfRegionsAreCentralDifferences() {
    String regions = "float64:[0.3,0.2,4.1,3.3,-1.4,0.6,2.7,6.2,1.2,1.1,1.7,2.3] as 3x4, int64:[0,1,1]";
    return Stream.of("{output_height=2, output_width=3, sampling_ratio=2}([2x2x4x5], %s)",
      "{output_height=2, output_width=2}([2x1x4x5], %s)",
      "{output_height=2, output_width=2, coordinate_transformation_mode=\"output_half_pixel\"}([2x1x4x5], %s)",
      "{mode=\"max\", output_height=2, output_width=1, sampling_ratio=1, spatial_scale=0.5}([2x2x4x5], %s)",
      "{mode=\"max\", output_height=1, output_width=2, sampling_ratio=2}([2x1x4x5], %s) in 0.1..2.5",
      "{sampling_ratio=2}([2x0x4x5], %s)").map(it -> "RoiAlign" + it.formatted(regions)).map(
        line -> DynamicTest
          .dynamicTest(line, () -> GradientDifferences.checkFirst(line)));
  }

  @Test
  void usesWithoutGradientSayWhatToDo() {
    assertThatThrownBy(() -> GradientDifferences.checkFirst("""
      Resize{axes=[0,1], keep_aspect_ratio_policy="not_larger"}([2x4], _, _, int64:[7,8])""")).hasMessageContaining(
      "no keep_aspect_ratio_policy");
    assertThatThrownBy(() -> GradientDifferences.checkFirst("""
      Resize{coordinate_transformation_mode="tf_crop_and_resize"}([4], float64:[0,0.5], float32:[3])"""))
      .hasMessageContaining("tf_crop_and_resize has none yet");
    assertThatThrownBy(() -> GradientDifferences.checkFirst("RoiAlign([1x1x4x4], [1x4], int64:[0])"))
      .hasMessageContaining("regions have no gradient; put StopGradient before them");
  }
}
