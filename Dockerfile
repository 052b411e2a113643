# JupyterLab with the jitlab kernel, on the GPU where the container is given one:
#   docker build -t jitlab . && docker run --rm --gpus all -p 8888:8888 jitlab
FROM node:22-bookworm AS build
WORKDIR /src
COPY . .
RUN npm ci && mkdir /tarball && npm pack --ignore-scripts --pack-destination /tarball

FROM node:22-bookworm-slim
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# g++ is the cpu device's compiler; the GPU's comes from Python's wheel, its driver from the host.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends g++ python3 python3-venv \
  && rm -rf /var/lib/apt/lists/*
ENV VIRTUAL_ENV=/opt/jupyter PATH=/opt/jupyter/bin:$PATH
RUN python3 -m venv "$VIRTUAL_ENV" \
  && pip install --no-cache-dir 'jupyterlab==4.6.*' 'nvidia-cuda-nvrtc==13.0.*'
COPY --from=build /tarball /tarball
RUN npm install --global /tarball/*.tgz \
  && npm cache clean --force \
  && rm -rf /tarball \
  && jitlab install --sys-prefix
USER node
WORKDIR /home/node
RUN cp -r "$(npm root --global)/jitlab/notebooks" .
EXPOSE 8888
# NVIDIA's runtime puts the driver into the container when these are set.
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser"]
