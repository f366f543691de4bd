package dev.cairn.djl;

import ai.djl.Application;
import ai.djl.ModelException;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDList;
import ai.djl.repository.zoo.Criteria;
import ai.djl.repository.zoo.ZooModel;
import ai.djl.translate.NoBatchifyTranslator;
import ai.djl.translate.TranslateException;
import ai.djl.translate.TranslatorContext;
import java.io.IOException;
import java.nio.file.Path;

/** The program of {@code docs/howto/djl.md}. */
final class CriteriaExample {
  private CriteriaExample() {}

  static float[] classify(Path file, float[] pixels) throws IOException, ModelException, TranslateException {
    Criteria<float[], float[]> criteria = Criteria.builder()
      .setTypes(float[].class, float[].class)
      .optApplication(Application.UNDEFINED)
      .optModelPath(file)
      .optEngine("Cairn")
      .optOption("threads", "2")
      .optTranslator(new Pixels())
      .build();
    try (ZooModel<float[], float[]> model = criteria.loadModel();
      Predictor<float[], float[]> predictor = model.newPredictor()) {
      return predictor.predict(pixels);
    }
  }

  static final class Pixels implements NoBatchifyTranslator<float[], float[]> {
    @Override
    public NDList processInput(TranslatorContext context, float[] pixels) {
      return new NDList(context.getNDManager().create(pixels).expandDims(0));
    }

    @Override
    public float[] processOutput(TranslatorContext context, NDList outputs) {
      return outputs.singletonOrThrow().softmax(-1).toFloatArray();
    }
  }
}
