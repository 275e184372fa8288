// SPDX-License-Identifier: Apache-2.0
import { answer, clientOf } from "../../api/client";
import { Intents } from "../../state/intents";
import type { components, paths } from "./api.gen";

type Schemas = components["schemas"];
type Toy = Schemas["Toy"];
type ToyPlan = Schemas["ToyPlan"];
type ToyStatus = Schemas["ToyStatus"];

const client = clientOf<paths>();

export const toys = new Intents<Toy, ToyPlan, ToyStatus>("toy", {
  all: () => answer(client.GET("/toys")),
  one: (id) => answer(client.GET("/toys/{id}", { params: { path: { id } } })),
  dryRun: (toy, signal) =>
    answer(client.POST("/toys", { params: { query: { dryRun: true } }, body: toy, signal })) as Promise<ToyPlan>,
  submit: (toy, headers) => answer(client.POST("/toys", { body: toy, headers })) as Promise<ToyStatus>,
  remove: (id, headers) => answer(client.DELETE("/toys/{id}", { params: { path: { id } }, headers })),
  said: ({ toy }) => toy,
});
