// SPDX-License-Identifier: Apache-2.0
import { formatByName, type SidFormat } from "../model/container";
import { network } from "./network";

/** The format of a headend's containers; a network has one unless it says otherwise. */
export function formatAt(node: string): SidFormat {
  const name = network.value.nodes.get(node)?.format ?? "F3216";
  return formatByName(name) ?? { name, blockBits: 32, usidBits: 16 };
}
