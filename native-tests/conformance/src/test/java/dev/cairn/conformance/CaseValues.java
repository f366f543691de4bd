package dev.cairn.conformance;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.OnnxTensors;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.value.OptionalValue;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorSequence;
import dev.cairn.runtime.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Files of values: a tensor, a {@code SequenceProto} or an {@code OptionalProto}, as the model declares the value. */
final class CaseValues {
  /** Field numbers of both messages. */
  private static final int TENSOR_VALUE = 3;
  private static final int SEQUENCE_VALUE = 5;

  private CaseValues() {}

  static Value read(Path file, TypeProto type) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return switch (type.getValueCase()) {
      case SEQUENCE_TYPE -> sequence(bytes, type, file);
      case OPTIONAL_TYPE -> optional(bytes, type.getOptionalType().getElemType(), file);
      default -> Tensor.copyOf(OnnxTensors.read(file));
    };
  }

  private static Value sequence(byte[] bytes, TypeProto type, Path file) throws IOException {
    List<Tensor> tensors = new ArrayList<>();
    for (ByteString each : fields(bytes, TENSOR_VALUE)) {
      tensors.add(tensor(each, file));
    }
    DType dtype = ElementTypes.find(type.getSequenceType().getElemType().getTensorType().getElemType()).orElseThrow();
    return new TensorSequence(dtype, tensors);
  }

  private static Value optional(byte[] bytes, TypeProto type, Path file) throws IOException {
    List<ByteString> found = fields(bytes, type.hasTensorType() ? TENSOR_VALUE : SEQUENCE_VALUE);
    if (found.isEmpty()) {
      return OptionalValue.EMPTY;
    }
    return new OptionalValue(Optional.of(type.hasTensorType()
      ? tensor(found.getFirst(), file)
      : sequence(found.getFirst().toByteArray(), type, file)));
  }

  private static Tensor tensor(ByteString message, Path beside) throws IOException {
    Path own = Files.createTempFile(beside.getParent(), "element", ".pb");
    Files.write(own, message.toByteArray());
    return Tensor.copyOf(OnnxTensors.read(own));
  }

  private static List<ByteString> fields(byte[] bytes, int wanted) throws IOException {
    List<ByteString> found = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == wanted) {
        found.add(in.readBytes());
      } else {
        in.skipField(tag);
      }
    }
    return found;
  }
}
