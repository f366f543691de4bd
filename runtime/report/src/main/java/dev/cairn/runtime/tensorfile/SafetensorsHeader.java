package dev.cairn.runtime.tensorfile;

import dev.cairn.allocator.Printable;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The header of a safetensors file.
 *
 * @param tensors by name, in the order of their bytes
 */
record SafetensorsHeader(Map<String, Place> tensors, Map<String, String> metadata) {
  /** The format's own limit. */
  static final int MOST_BYTES = 100_000_000;

  private static final String METADATA = "__metadata__";
  private static final int MOST_NAME_CHARS = 100;
  private static final int MOST_EXTENTS = 1000;
  /** Where the JSON text begins in the file. */
  private static final int TEXT_BEGIN = 8;
  private static final Map<String, DType> BY_CODE = Map.ofEntries(Map.entry("F64", DType.FLOAT64),
    Map.entry("F32", DType.FLOAT32), Map.entry("F16", DType.FLOAT16), Map.entry("BF16", DType.BFLOAT16),
    Map.entry("F8_E4M3", DType.FLOAT8E4M3FN), Map.entry("F8_E5M2", DType.FLOAT8E5M2),
    Map.entry("F8_E8M0", DType.FLOAT8E8M0), Map.entry("I8", DType.INT8), Map.entry("I16", DType.INT16),
    Map.entry("I32", DType.INT32), Map.entry("I64", DType.INT64), Map.entry("U8", DType.UINT8),
    Map.entry("U16", DType.UINT16), Map.entry("U32", DType.UINT32), Map.entry("U64", DType.UINT64),
    Map.entry("BOOL", DType.BOOL));
  private static final JsonMapper MAPPER = JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /** @param begin of the first element, counted from the end of the header */
  record Place(TensorType type, long begin) {}

  /** @param dataBytes the bytes that follow the header */
  static SafetensorsHeader parse(byte[] text, Path file, long dataBytes) {
    JsonNode root;
    try {
      root = MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw new InvalidTensorFile(file, TEXT_BEGIN, "the header is not JSON: " + e.getOriginalMessage());
    }
    if (!(root instanceof ObjectNode object)) {
      throw new InvalidTensorFile(file, TEXT_BEGIN, "the header is not a JSON object");
    }
    Map<String, Place> places = new LinkedHashMap<>();
    Map<String, String> metadata = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> property : object.properties()) {
      try {
        if (property.getKey().equals(METADATA)) {
          metadata.putAll(texts(property.getValue()));
        } else {
          places.put(property.getKey(), place(property.getValue()));
        }
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new InvalidTensorFile(file, TEXT_BEGIN, "invalid entry of the header: name=%s %s".formatted(Printable.of(
          property.getKey(), MOST_NAME_CHARS), e.getMessage()));
      }
    }
    return new SafetensorsHeader(contiguous(places, file, TEXT_BEGIN + (long) text.length, dataBytes), metadata);
  }

  private static Map<String, String> texts(JsonNode values) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> value : values.properties()) {
      texts.put(value.getKey(), text(value.getValue()));
    }
    return texts;
  }

  private static String text(JsonNode value) {
    if (!value.isString()) {
      throw new IllegalArgumentException("not a text: " + value.getNodeType());
    }
    return value.asString();
  }

  private static Place place(JsonNode entry) {
    String code = text(entry.path("dtype"));
    DType dtype = BY_CODE.get(code);
    if (dtype == null) {
      throw new IllegalArgumentException("unknown element type: dtype=" + Printable.of(code, MOST_NAME_CHARS));
    }
    TensorType type = TensorType.of(dtype, wholeNumbers(entry.path("shape")));
    long[] offsets = wholeNumbers(entry.path("data_offsets"));
    if (offsets.length != 2 || offsets[0] < 0 || Math.subtractExact(offsets[1], offsets[0]) != type.bytes()) {
      throw new IllegalArgumentException(
        "type and data_offsets differ: type=%s bytes=%d offsets=%s".formatted(type,
          type.bytes(), Arrays.toString(offsets)));
    }
    return new Place(type, offsets[0]);
  }

  private static long[] wholeNumbers(JsonNode array) {
    if (!(array instanceof ArrayNode) || array.size() > MOST_EXTENTS) {
      throw new IllegalArgumentException("shape or data_offsets is not a list of whole numbers: " + array
        .getNodeType());
    }
    long[] values = new long[array.size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode value = array.get(i);
      if (!value.isIntegralNumber() || !value.canConvertToLong()) {
        throw new IllegalArgumentException("not a whole number: " + Printable.of(value.toString(), MOST_NAME_CHARS));
      }
      values[i] = value.longValue();
    }
    return values;
  }

  /** Sorts by place. Each tensor begins where the one before it ends, and the last ends with the file. */
  private static Map<String, Place> contiguous(Map<String, Place> places, Path file, long first, long dataBytes) {
    List<Map.Entry<String, Place>> sorted = new ArrayList<>(places.entrySet());
    sorted.sort(Comparator.comparingLong((Map.Entry<String, Place> it) -> it.getValue().begin()).thenComparingLong(
      it -> it.getValue().type().bytes()));
    Map<String, Place> ordered = new LinkedHashMap<>();
    long end = 0;
    for (Map.Entry<String, Place> tensor : sorted) {
      if (tensor.getValue().begin() != end) {
        throw new InvalidTensorFile(file, first + Math.min(end, dataBytes),
          "tensors overlap or leave a gap: name=%s begin=%d expected=%d".formatted(Printable.of(tensor.getKey(),
            MOST_NAME_CHARS), tensor.getValue().begin(), end));
      }
      end += tensor.getValue().type().bytes();
      ordered.put(tensor.getKey(), tensor.getValue());
    }
    if (end != dataBytes) {
      throw new InvalidTensorFile(file, first + Math.min(end, dataBytes),
        "the file is cut short, or has more bytes than its tensors: tensorBytes=%d dataBytes=%d".formatted(end,
          dataBytes));
    }
    return ordered;
  }

  /** Larger elements first, then by name. */
  static Map<String, TensorView> sorted(Map<String, TensorView> tensors) {
    Map<String, TensorView> sorted = new LinkedHashMap<>();
    tensors.entrySet().stream()
      .sorted(Comparator.comparingInt((Map.Entry<String, TensorView> it) -> -it.getValue().dtype()
        .bits()).thenComparing(Map.Entry::getKey))
      .forEach(it -> sorted.put(it.getKey(), it.getValue()));
    return sorted;
  }

  /** The JSON text for tensors whose bytes lie in this order. */
  static byte[] format(Map<String, TensorView> tensors, Map<String, String> metadata) {
    ObjectNode root = MAPPER.createObjectNode();
    if (!metadata.isEmpty()) {
      ObjectNode texts = root.putObject(METADATA);
      metadata.forEach(texts::put);
    }
    long begin = 0;
    for (Map.Entry<String, TensorView> tensor : tensors.entrySet()) {
      if (tensor.getKey().equals(METADATA)) {
        throw new IllegalArgumentException("safetensors reserves this name: name=" + METADATA);
      }
      TensorType type = tensor.getValue().type();
      ObjectNode entry = root.putObject(tensor.getKey());
      entry.put("dtype", code(type.dtype(), tensor.getKey()));
      ArrayNode shape = entry.putArray("shape");
      for (long extent : type.shape().extents()) {
        shape.add(extent);
      }
      entry.putArray("data_offsets").add(begin).add(begin + type.bytes());
      begin += type.bytes();
    }
    byte[] text = root.toString().getBytes(StandardCharsets.UTF_8);
    if (text.length > MOST_BYTES - TensorBytes.ALIGNMENT) {
      throw new IllegalArgumentException("names too long for a safetensors header: bytes=%d most=%d".formatted(
        text.length, MOST_BYTES));
    }
    return text;
  }

  private static String code(DType dtype, String name) {
    return BY_CODE.entrySet().stream().filter(it -> it.getValue() == dtype).map(Map.Entry::getKey).findFirst()
      .orElseThrow(() -> new IllegalArgumentException(
        "safetensors has no such element type: name=%s dtype=%s; cast it to another type".formatted(Printable.of(name,
          MOST_NAME_CHARS), dtype)));
  }
}
