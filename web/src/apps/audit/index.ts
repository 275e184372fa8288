// SPDX-License-Identifier: Apache-2.0
import { LAST, type App } from "../app";
import { AuditPanel } from "./AuditPanel";
import "./style.css";
import { strings } from "./strings";

/** The audit log: changes with their users. */
const audit: App = {
  id: "audit",
  title: strings.title,
  place: LAST - 1,
  Panel: AuditPanel,
  search: () => [],
  troubles: () => [],
};
export default audit;
