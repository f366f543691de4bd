package dev.cairn.conformance;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cairn.runtime.onnx.proto.ModelProto;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Damages ONNX models: mostly field by field, so that they still parse and the fault lies deeper, else byte by byte.
 * The seed decides everything.
 */
final class ModelMutator {
  /** Where counting goes wrong: around zero, around powers of two, at the ends of the types. */
  private static final long[] NUMBERS = {0, 1, -1, 2, 3, -2, 7, 13, 64, 65_536, 1 << 20, Integer.MAX_VALUE,
    Integer.MIN_VALUE, 1L << 31, 1L << 32, 1L << 40, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE};
  private static final float[] REALS = {0, -1, 1e-30f, 1e30f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE};

  private final SplittableRandom random;
  private final ByteMutator damage;
  private final List<String> words;

  /** @param words that stand in names now and then, such as operators */
  ModelMutator(long seed, List<String> words) {
    this.random = new SplittableRandom(seed);
    this.damage = new ByteMutator(random);
    this.words = words;
  }

  /** One place of a message: a field, and which of its elements where it is repeated. */
  private record Site(Message.Builder of, FieldDescriptor field, int element) {
    Object value() {
      return field.isRepeated() ? of.getRepeatedField(field, element) : of.getField(field);
    }

    boolean isNumber() {
      return switch (field.getJavaType()) {
        case INT, LONG, FLOAT, DOUBLE, BYTE_STRING -> true;
        default -> false;
      };
    }

    void set(Object value) {
      if (field.isRepeated()) {
        of.setRepeatedField(field, element, value);
      } else {
        of.setField(field, value);
      }
    }
  }

  byte[] mutated(ModelProto model) {
    Message.Builder builder = model.toBuilder();
    for (int n = random.nextInt(3); n >= 0; n--) {
      List<Site> sites = new ArrayList<>();
      collect(builder, sites);
      List<Site> numbers = sites.stream().filter(Site::isNumber).toList();
      // A missing name is found at once; a changed number gets further.
      List<Site> from = numbers.isEmpty() || random.nextInt(3) == 0 ? sites : numbers;
      mutate(from.get(random.nextInt(from.size())), sites);
    }
    byte[] bytes = builder.build().toByteArray();
    return random.nextInt(5) == 0 ? damage.mutated(bytes) : bytes;
  }

  private static void collect(Message.Builder of, List<Site> sites) {
    for (FieldDescriptor field : of.getAllFields().keySet()) {
      int count = field.isRepeated() ? of.getRepeatedFieldCount(field) : 1;
      // Long lists of numbers would leave no room for anything else.
      for (int i = 0; i < Math.min(count, 20); i++) {
        sites.add(new Site(of, field, i));
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
          collect(field.isRepeated() ? of.getRepeatedFieldBuilder(field, i) : of.getFieldBuilder(field), sites);
        }
      }
    }
  }

  private void mutate(Site site, List<Site> others) {
    int kind = random.nextInt(10);
    if (kind == 0) {
      removed(site);
    } else if (kind == 1 && site.field.isRepeated()) {
      site.of.addRepeatedField(site.field, site.value());
    } else if (kind <= 3) {
      List<Site> same = others.stream().filter(it -> it.field.getJavaType() == site.field.getJavaType()
        && it.field.getJavaType() != FieldDescriptor.JavaType.ENUM
        && (it.field.getJavaType() != FieldDescriptor.JavaType.MESSAGE
          || it.field.getMessageType() == site.field.getMessageType()))
        .toList();
      if (!same.isEmpty()) {
        site.set(same.get(random.nextInt(same.size())).value());
      }
    } else {
      changed(site);
    }
  }

  private static void removed(Site site) {
    List<Object> kept = new ArrayList<>();
    for (int i = 0; site.field.isRepeated() && i < site.of.getRepeatedFieldCount(site.field); i++) {
      if (i != site.element) {
        kept.add(site.of.getRepeatedField(site.field, i));
      }
    }
    site.of.clearField(site.field);
    kept.forEach(value -> site.of.addRepeatedField(site.field, value));
  }

  private void changed(Site site) {
    switch (site.field.getJavaType()) {
      case INT -> site.set(random.nextBoolean() ? random.nextInt(-1, 24) : (int) number());
      case LONG -> site.set(random.nextBoolean() ? random.nextLong(-3, 30) : number());
      case FLOAT -> site.set(REALS[random.nextInt(REALS.length)]);
      case DOUBLE -> site.set((double) REALS[random.nextInt(REALS.length)]);
      case STRING -> site.set(words.get(random.nextInt(words.size())));
      case BYTE_STRING -> site.set(ByteString.copyFrom(changed(((ByteString) site.value()).toByteArray())));
      case MESSAGE -> removed(site);
      default -> site.set(site.value());
    }
  }

  /** Weights: mostly one element gets another value, so that their size still fits. */
  private byte[] changed(byte[] of) {
    if (of.length < Long.BYTES || random.nextInt(4) == 0) {
      return damage.mutated(of);
    }
    int at = random.nextInt(of.length / Long.BYTES) * Long.BYTES;
    byte[] changed = of.clone();
    long value = number();
    for (int i = 0; i < Long.BYTES; i++) {
      changed[at + i] = (byte) (value >>> (8 * i));
    }
    return changed;
  }

  private long number() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }
}
