package dev.cairn.spring;

import dev.cairn.runtime.session.ModelSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;

/** A model that is one of Spring's resources. Files are mapped, others are read into memory once. */
final class ResourceModel {
  private ResourceModel() {}

  /** @throws UncheckedIOException when the resource cannot be read */
  static ModelSource of(Resource resource) {
    try {
      return read(resource);
    } catch (IOException e) {
      throw new UncheckedIOException("the model cannot be read: cairn.model=" + resource.getDescription(), e);
    }
  }

  private static ModelSource read(Resource resource) throws IOException {
    if (resource.isFile()) {
      return ModelSource.of(resource.getFile().toPath());
    }
    try (InputStream bytes = resource.getInputStream()) {
      return ModelSource.of(bytes).withExternalData(location -> read(resource.createRelative(
        resource instanceof UrlResource ? encoded(location) : location)));
    }
  }

  /** The path as a part of a URL, with spaces and percent signs encoded. */
  private static String encoded(String location) throws IOException {
    try {
      return new URI(null, null, "/" + location, null).getRawPath().substring(1);
    } catch (URISyntaxException e) {
      throw new IOException("no name of a file: location=" + location, e);
    }
  }
}
