package dev.cairn.runtime.symbolfile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelSource;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.tensorfile.MxnetParamsFile;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A network that MXNet 1.x saved as {@code prefix-symbol.json} and {@code prefix-NNNN.params}, as it infers: dropout
 * does nothing, and losses give their predictions.
 *
 * @param symbol the network over free variables, named as in the file
 * @param parameters arguments and states by name, without {@code arg:} and {@code aux:}
 */
public record MxnetModel(Symbol symbol, Map<String, TensorView> parameters) {
  private static final String SUFFIX = "-symbol.json";

  /** Keeps the parameters' order. */
  public MxnetModel {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * Reads a network with the parameters of an epoch.
   *
   * @param prefix the files' common path, such as {@code models/resnet}
   * @throws InvalidModel when the network is missing or damaged
   * @throws dev.cairn.runtime.tensorfile.InvalidTensorFile when the parameters are damaged
   * @throws UnsupportedOperators when the network uses operators or attributes that have no counterpart; lists all
   */
  public static MxnetModel load(Path prefix, int epoch) throws IOException {
    Path params = prefix.resolveSibling("%s-%04d.params".formatted(prefix.getFileName(), epoch));
    return new MxnetModel(symbol(ModelSource.of(prefix.resolveSibling(prefix.getFileName() + SUFFIX))), named(
      MxnetParamsFile.read(params)));
  }

  /** The network alone. */
  static Symbol symbol(ModelSource source) {
    byte[] text = source.bytes().toArray(ValueLayout.JAVA_BYTE);
    try {
      return new MxnetSymbolJson(source).symbol(text);
    } catch (MxnetSymbolJson.Damaged damaged) {
      throw new InvalidModel(source, "damaged MXNet symbol: " + damaged.getMessage(), damaged);
    }
  }

  /** The network with the newest parameters that lie beside it. */
  static MxnetModel besides(ModelSource source) {
    Symbol symbol = symbol(source);
    Path file = source.file().orElseThrow(() -> new InvalidModel(source,
      "an MXNet model's parameters lie in a file beside its symbol, and this source is no file"));
    String name = String.valueOf(file.getFileName());
    String prefix = name.substring(0, name.length() - SUFFIX.length()) + "-";
    try {
      Path params = newest(file, prefix).orElseThrow(() -> new InvalidModel(source,
        "no file of parameters lies beside the symbol: wanted=%sNNNN.params".formatted(prefix)));
      Path found = source.externalData(String.valueOf(params.getFileName())).file().orElse(params);
      return new MxnetModel(symbol, named(MxnetParamsFile.read(found)));
    } catch (IOException e) {
      throw new InvalidModel(source, "the parameters cannot be read: " + e.getMessage(), e);
    }
  }

  static boolean isSymbol(String name) {
    return name.endsWith(SUFFIX);
  }

  private static Optional<Path> newest(Path file, String prefix) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    try (Stream<Path> files = Files.list(folder == null ? file : folder)) {
      return files.filter(it -> String.valueOf(it.getFileName()).matches(Pattern.quote(prefix)
        + "\\d{4,}\\.params")).max(Comparator.comparing(it -> epoch(it, prefix)));
    }
  }

  /** Names of more digits are of later epochs, whatever their order as texts. */
  private static BigInteger epoch(Path params, String prefix) {
    String name = String.valueOf(params.getFileName());
    return new BigInteger(name.substring(prefix.length(), name.lastIndexOf('.')));
  }

  private static Map<String, TensorView> named(Map<String, TensorView> arrays) {
    Map<String, TensorView> named = new LinkedHashMap<>();
    arrays.forEach((name, array) -> named.put(name.replaceFirst("^(arg|aux):", ""), array));
    return named;
  }

  /**
   * The network over its data alone, with the parameters as constants. Inputs are {@code float32}, as MXNet's are by
   * default. The parameters' shapes follow in part from the files; each run's tensors bind what stays open.
   */
  public Graph graph() {
    Map<String, TensorView> used = new LinkedHashMap<>();
    Stream.concat(symbol.arguments().stream(), symbol.states().stream()).distinct().filter(parameters::containsKey)
      .forEach(name -> used.put(name, parameters.get(name)));
    Symbol network = symbol.withValues(used);
    Map<String, PartialType> types = new LinkedHashMap<>();
    network.arguments().forEach(name -> types.put(name, PartialType.of(DType.FLOAT32)));
    return network.graph(network.inferPartial(types));
  }
}
