/** Looks until something is there; a test that waits in vain says for what. */
export const waitFor = async <Found>(
  what: string,
  look: () => Found | null | undefined | false | Promise<Found | null | undefined | false>,
  timeoutMs = 20_000,
): Promise<Found> => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
