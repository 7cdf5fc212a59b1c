// Measures the kept photos one after the other, so that what is done stays done.
import { sentence } from "./count.js";
import { byId, toast } from "./dom.js";
import { patiently, post } from "./request.js";
import { _ } from "./words.js";

byId("measure")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const ids = button.dataset.ids.split(" ");
  const [bar, says] = byId("measuring").children;
  button.disabled = true;
  byId("measuring").hidden = false;
  try {
    for (const [n, id] of ids.entries()) {
      says.textContent = _("Reading photo {n} of {all}…", { n: n + 1, all: ids.length });
      bar.value = n / ids.length;
      await patiently(() => post(`/examples/${id}/measure`, {}, { token: true }));
    }
    location.reload();
  } catch (error) {
    toast(error.sentence ?? sentence(error));
    button.disabled = false;
    byId("measuring").hidden = true;
  }
});
document.documentElement.dataset.ready = "true";
