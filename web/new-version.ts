const KEY = 'reloaded by';

/**
 * After an update of the service, an open page asks for files that may be gone. Reloading names the current
 * ones. It is done once per version of the page, so that a file that is missing for another reason causes no
 * loop. False if the page stays.
 */
function reloadOnce(): boolean {
  const version = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';
  if (!navigator.onLine || sessionStorage.getItem(KEY) === version) return false;
  sessionStorage.setItem(KEY, version);
  location.reload();
  return true;
}

/** Loads a part of the program that is not in the first script. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!reloadOnce()) throw error;
    // The page is on its way out.
    return new Promise<T>(() => {});
  }
}
