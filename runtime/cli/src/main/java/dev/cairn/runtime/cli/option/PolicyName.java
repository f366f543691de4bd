package dev.cairn.runtime.cli.option;

import dev.cairn.allocator.replay.ReplayPolicies;
import dev.cairn.allocator.replay.ReplayPolicy;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Names of the policies that a trace may be replayed under. */
public final class PolicyName {
  private PolicyName() {}

  /** All names, for help and completion. */
  public static final class Candidates implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return ReplayPolicies.all().stream().map(ReplayPolicy::name).iterator();
    }
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<ReplayPolicy> {
    @Override
    public ReplayPolicy convert(String name) {
      try {
        return ReplayPolicies.named(List.of(name)).getFirst();
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
