package dev.cairn.djl;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import dev.cairn.runtime.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * Runs ONNX models. Arrays lie in native memory of the host and have the functions that predictors and batchifiers
 * need; where DJL has another engine with a better rank, it computes the others.
 */
final class CairnEngine extends Engine {
  static final String NAME = "Cairn";
  /** The rank of DJL's engine of ONNX Runtime: behind engines that have all functions of arrays. */
  static final int RANK = 10;
  static final CairnEngine INSTANCE = new CairnEngine();

  private CairnEngine() {}

  @Override
  public @Nullable Engine getAlternativeEngine() {
    String name = Engine.getDefaultEngineName();
    if (name == null || name.equals(NAME)) {
      return null;
    }
    Engine other = Engine.getEngine(name);
    return other.getRank() < RANK ? other : null;
  }

  @Override
  public String getEngineName() {
    return NAME;
  }

  @Override
  public int getRank() {
    return RANK;
  }

  @Override
  public String getVersion() {
    String version = Session.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  @Override
  public boolean hasCapability(String capability) {
    return false;
  }

  @Override
  public Model newModel(String name, @Nullable Device device) {
    return new SessionModel(name, newBaseManager(device));
  }

  @Override
  public NDManager newBaseManager() {
    return newBaseManager(null);
  }

  @Override
  public NDManager newBaseManager(@Nullable Device device) {
    return CairnNDManager.SYSTEM.newSubManager(device);
  }

  @Override
  public String toString() {
    return NAME + ":" + getVersion();
  }
}
