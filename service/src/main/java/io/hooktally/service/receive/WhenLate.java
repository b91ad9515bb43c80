package io.hooktally.service.receive;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Runs something when an exchange has lasted too long. */
record WhenLate(Runnable action) implements AsyncListener {

  @Override
  public void onTimeout(AsyncEvent event) {
    action.run();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    // in time
  }

  @Override
  public void onError(AsyncEvent event) {
    // in time
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // nobody starts again
  }
}
