/* A shared tablet keeps nothing of who was here. */

export function forgetDevice() {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      storage().clear();
    } catch {
      /* Storage may be switched off; then there is nothing to clear. */
    }
  }
}
