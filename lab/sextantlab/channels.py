# SPDX-License-Identifier: Apache-2.0
"""gRPC to nodes, in the clear or with certificates."""

import grpc

from .tls import CONTROLLER, Folder


def channel(address: str, tls: Folder | None, client: str = CONTROLLER) -> grpc.Channel:
    """To a node, in the clear or as one of the clients that a folder has certificates of."""
    if tls is None:
        return grpc.insecure_channel(address)
    own = tls.client(client)
    files = (file.read_bytes() for file in (tls.ca, own.key, own.certificate))
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(*files))
