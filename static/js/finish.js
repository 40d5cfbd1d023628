/* The last button: clears this tablet before it goes to the start page, which takes this page's place in the history. */

import { connect } from "./api.js";
import { forgetDevice } from "./forget.js";

const form = document.querySelector("[data-leave-form]");
const api = connect({ viewer: "seat" });

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await api.post(form.action);
  } catch {
    return form.submit();
  }
  forgetDevice();
  return location.replace("/");
});

addEventListener("pageshow", (event) => event.persisted && location.reload());
