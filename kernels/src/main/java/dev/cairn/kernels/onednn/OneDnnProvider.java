package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelProvider;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.device.ThreadTeam;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** oneDNN's kernels for one number of threads. */
public final class OneDnnProvider implements KernelProvider {
  private static final Set<DType> SINGLE = Set.of(DType.FLOAT32);

  private final OneDnn library;
  private final OneDnnEngine engine;
  private final List<KernelRow> rows;

  private OneDnnProvider(OneDnn library, OneDnnEngine engine, boolean winograd) {
    this.library = library;
    this.engine = engine;
    Set<DType> dtypes = library.hasBfloat16() ? Set.of(DType.FLOAT32, DType.BFLOAT16) : SINGLE;
    this.rows = rows(engine, winograd, dtypes);
  }

  /** @param dtypes of products and what lies between them */
  private static List<KernelRow> rows(OneDnnEngine engine, boolean winograd, Set<DType> dtypes) {
    List<Product> products = new ArrayList<>(List.of(OneDnnMatmul.matmul(), OneDnnMatmul.gemm()));
    List<KernelRow> rows = new ArrayList<>();
    for (Images images : Images.values()) {
      products.add(new OneDnnConvolution(images, winograd ? Optional.of(engine) : Optional.empty()));
      rows.add(row(images.operator(Operators.MAX_POOL), dtypes, new OneDnnPool(engine, images, true)));
      rows.add(row(images.operator(Operators.AVERAGE_POOL), dtypes, new OneDnnPool(engine, images, false)));
      rows.add(row(images.operator("LRN"), SINGLE, new OneDnnLocalResponse(engine, images)));
      rows.add(row(images.operator(Operators.CONV_TRANSPOSE), SINGLE, new OneDnnProduct(engine, new OneDnnConvTranspose(
        images))));
    }
    products.forEach(it -> rows.add(row(it.operator(), dtypes, new OneDnnProduct(engine, it))));
    rows.add(new KernelRow(Operators.MATMUL_INTEGER, Twin.ONEDNN, Decides.FIRST_INPUT, Set.of(DType.INT8, DType.UINT8),
      new OneDnnProduct(engine, new OneDnnIntegerMatmul())));
    rows.add(row(Operators.ATTENTION, SINGLE, new OneDnnAttention(engine)));
    rows.add(row(Operators.SOFTMAX, dtypes, new OneDnnSoftmax(engine)));
    rows.add(row(Operators.CONV_WEIGHT_GRADIENT, SINGLE, new OneDnnConvWeightGradient(engine)));
    rows.add(row(FusedProduct.OPERATOR, dtypes, new OneDnnFusedProduct(engine, products)));
    return List.copyOf(rows);
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.ONEDNN, Decides.FIRST_INPUT, dtypes, kernel);
  }

  /**
   * Opens an engine.
   *
   * @param threads that one kernel may use
   * @param winograd whether plans may compute convolutions by Winograd's algorithm, which takes four times the weights
   * @throws Unavailable when the library makes no engine
   */
  public static OneDnnProvider open(OneDnn library, int threads, boolean winograd) throws Unavailable {
    OneDnnEngine engine;
    try {
      engine = new OneDnnEngine(library.calls(), threads);
    } catch (OneDnnFailure e) {
      throw new Unavailable("it makes no engine: " + e.getMessage(), e);
    }
    try {
      return new OneDnnProvider(library, engine, winograd);
    } catch (RuntimeException | Error e) {
      try (engine) {
        throw e;
      }
    }
  }

  @Override
  public String description() {
    return library.description();
  }

  @Override
  public Optional<ThreadTeam> team() {
    return Optional.of(engine::runOnAll);
  }

  @Override
  public List<KernelRow> rows() {
    return rows;
  }

  @Override
  public void close() {
    engine.close();
  }
}
