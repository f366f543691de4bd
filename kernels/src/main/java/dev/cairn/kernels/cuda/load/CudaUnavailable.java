package dev.cairn.kernels.cuda.load;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Why no GPU can be used here: a reason to act by, and the facts that show it. */
public final class CudaUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What is in the way. */
  public enum Reason {
    /** JCuda has natives for Linux on x86-64 only. */
    WRONG_PLATFORM("there are no natives for this platform"),
    /** The JVM was told to refuse native code. */
    NO_NATIVE_ACCESS("Java may not load native code"),
    /** There is no {@code libcuda.so.1}. */
    NO_DRIVER("there is no NVIDIA driver"),
    /** There is one, and it can't be loaded, or answers no call. */
    DRIVER_BROKEN("the NVIDIA driver does not work"),
    /** It works, and is older than JCuda's natives need. */
    DRIVER_TOO_OLD("the NVIDIA driver is too old"),
    /** It works, and knows of no GPU. */
    NO_DEVICE("the NVIDIA driver finds no GPU"),
    /** Everything is there but NVRTC, and Cairn was built without kernels that are compiled already. */
    NO_COMPILER("there is no NVRTC to compile kernels with"),
    /** There is no NVRTC, and the driver or the device does not take kernels that were compiled at build time. */
    KERNELS_REFUSED("there is no NVRTC, and kernels compiled at build time cannot be used"),
    /** There is no folder from which JCuda's natives could be loaded. */
    CACHE_UNUSABLE("there is no folder to load natives from"),
    /** JCuda's own native does not load, or not from where it was put. */
    BINDING_BROKEN("JCuda's native cannot be loaded"),
    /** This process holds another driver already; it can hold one. */
    ALREADY_BOUND("this process holds another driver already");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    /** What is in the way, for people. */
    public String words() {
      return words;
    }
  }

  private final Reason reason;
  private final transient Map<String, String> facts;

  CudaUnavailable(Reason reason, Map<String, String> facts, @Nullable Throwable cause) {
    super(message(reason, facts), cause);
    this.reason = reason;
    this.facts = new TreeMap<>(facts);
  }

  /** @param facts what was seen, by name */
  public CudaUnavailable(Reason reason, Map<String, String> facts) {
    this(reason, facts, null);
  }

  private static String message(Reason reason, Map<String, String> facts) {
    var text = new StringBuilder(reason.words());
    new TreeMap<>(facts).forEach((key, value) -> text.append(text.indexOf(": ") < 0 ? ": " : " ").append(key)
      .append('=').append(value));
    return text.toString();
  }

  public Reason reason() {
    return reason;
  }

  /** What was seen, by name. */
  public Map<String, String> facts() {
    return new TreeMap<>(facts);
  }
}
