// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../model/address";

export function Back({ app, title }: { readonly app: string; readonly title: string }) {
  return (
    <a class="back" href={addressOf(app)}>
      ‹ {title}
    </a>
  );
}
