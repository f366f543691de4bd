package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.OF_SHAPES;

import dev.cairn.kernels.attribute.MelBins;
import dev.cairn.kernels.attribute.SpectrumForm;
import dev.cairn.kernels.attribute.TransformedAxis;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spectra of signals. Complex numbers are pairs on the last axis. */
public final class SignalFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("DFT", 1, 3, SignalFamily::transform, MemoryTraits.NONE).named("input", "dft_length",
      "axis").noGradient(NOT_WRITTEN),
    new OperatorDefinition("MelWeightMatrix", 5, 5, SignalFamily::melWeights, MemoryTraits.NONE).named("num_mel_bins",
      "dft_length", "sample_rate", "lower_edge_hertz", "upper_edge_hertz").withTypes("output_datatype")
      .zeroGradient(OF_SHAPES),
    new OperatorDefinition("STFT", 2, 4, SignalFamily::frames, MemoryTraits.NONE).named("signal", "frame_step",
      "window", "frame_length").noGradient(NOT_WRITTEN));

  private SignalFamily() {}

  private static List<TensorType> transform(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    TransformedAxis axis = TransformedAxis.of(context.attributes(), context.shape(0), optional(context, 1), optional(
      context, 2));
    return List.of(context.input(0).withShape(axis.resultShape(context.shape(0))));
  }

  private static @Nullable TensorView optional(TypeContext context, int input) {
    return context.has(input) ? AdmittedTypes.INDEXES.single(context, input) : null;
  }

  /** A signal {@code [batch,time]} or {@code [batch,time,1 or 2]}. A frame is as long as the window. */
  private static List<TensorType> frames(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 2);
    Shape signal = context.shape(0);
    long parts = signal.rank() == 3 ? signal.extent(2) : 1;
    boolean onesided = SpectrumForm.of(context.attributes()).isOnesided();
    if (signal.rank() < 2 || signal.rank() > 3 || parts < 1 || parts > (onesided ? 1 : 2)) {
      throw context.fault("a signal [batch,time,1], or with both sides [batch,time,2], is needed: signal=%s onesided=%b"
        .formatted(signal, onesided));
    }
    long step = AdmittedTypes.INDEXES.single(context, 1).longAt(0);
    long length = frameLength(context);
    if (step < 1 || length < 1 || length > signal.extent(1)) {
      throw context.fault("no such frames: frame_step=%d frame_length=%d signal=%s".formatted(step, length, signal));
    }
    long count = (signal.extent(1) - length) / step + 1;
    return List.of(TensorType.of(dtype, signal.extent(0), count, onesided ? length / 2 + 1 : length, 2));
  }

  private static long frameLength(TypeContext context) {
    TensorView stated = optional(context, 3);
    if (!context.has(2)) {
      if (stated == null) {
        throw context.fault("a window or a length of frames is needed");
      }
      return stated.longAt(0);
    }
    Shape window = context.shape(2);
    if (window.rank() != 1 || (stated != null && stated.longAt(0) != window.extent(0))) {
      throw context.fault("the window is not as long as a frame: window=" + window);
    }
    return window.extent(0);
  }

  private static List<TensorType> melWeights(TypeContext context) {
    DType dtype = ConversionFamily.named(context, "output_datatype", SpectrumForm.of(context.attributes()).dtype());
    MelBins bins = MelBins.of(AdmittedTypes.INDEXES.single(context, 0), AdmittedTypes.INDEXES.single(context, 1),
      AdmittedTypes.INDEXES.single(context, 2), AdmittedTypes.FLOATS.single(context, 3), AdmittedTypes.FLOATS.single(
        context, 4));
    return List.of(TensorType.of(dtype, bins.spectrum(), bins.bands()));
  }
}
