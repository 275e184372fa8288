// SPDX-License-Identifier: Apache-2.0
import { answer } from "../../api/client";
import { Intents } from "../../state/intents";
import { client, type Slice, type SlicePlan, type SliceStatus } from "./api";
import { strings } from "./strings";

export const slices = new Intents<Slice, SlicePlan, SliceStatus>(strings.slice, {
  all: () => answer(client.GET("/slices")),
  one: sliceNow,
  dryRun: (slice, signal) =>
    answer(client.POST("/slices", { params: { query: { dryRun: true } }, body: slice, signal })) as Promise<SlicePlan>,
  submit: (slice, headers) => answer(client.POST("/slices", { body: slice, headers })) as Promise<SliceStatus>,
  remove: (id, headers) => answer(client.DELETE("/slices/{id}", { params: { path: { id } }, headers })),
  said: (status) => status.slice,
});

/** One slice with the present counters of its gateways. */
export function sliceNow(id: string): Promise<SliceStatus> {
  return answer(client.GET("/slices/{id}", { params: { path: { id } } }));
}
