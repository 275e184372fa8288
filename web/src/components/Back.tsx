// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../model/address";
import { strings } from "./strings";

export function Back({ app, title }: { readonly app: string; readonly title: string }) {
  return (
    <a class="back" href={addressOf(app)}>
      {strings.back(title)}
    </a>
  );
}
