// LiveKit's JavaScript client, from where the operator serves it. The browser runs it only if it has the hash of the server's settings.

/** A script that has not come after this does not come. */
const loadMs = 20_000;

/**
 * A function that loads the client once, when it is first called, and resolves with what the script names `LivekitClient`; after a failure
 * it loads again.
 * @param client `url` and `integrity` of the server's settings
 */
export function makeVoiceLoader({ url, integrity }, { document, trustedTypes, library = () => globalThis.LivekitClient } = globalThis) {
  // The one address that the page makes of a text: its policy of Trusted Types allows a single one by this name.
  const policy = trustedTypes?.createPolicy("voice-client", { createScriptURL: () => url });
  let loading = null;
  return () => {
    loading ??= load().catch((error) => { loading = null; throw error; });
    return loading;
  };

  function load() {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const timer = setTimeout(() => fail("was not loaded in time"), loadMs);
      const fail = (text) => { clearTimeout(timer); script.remove(); reject(new Error(`The script of the sound ${text}.`)); };
      script.integrity = integrity;
      script.crossOrigin = "anonymous";
      script.addEventListener("error", () => fail("could not be loaded, or is another one"));
      script.addEventListener("load", () => {
        clearTimeout(timer);
        const found = library();
        if (found?.Room) resolve(found); else fail("is another one");
      });
      script.src = policy ? policy.createScriptURL("") : url;
      document.head.append(script);
    });
  }
}
