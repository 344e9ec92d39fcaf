FROM nvidia/cuda:12.8.1-devel-ubuntu24.04
ARG HF_TOKEN
ENV NCCL_SOCKET_IFNAME=eth0 \
    CUDA_VISIBLE_DEVICES=0
RUN apt-get update && apt-get install -y -no-install-recommends git linux-headers-generic
# Apply the patch for long contexts
RUN pip install -no-build-isolation "flash-attn==2.8.3" && \
    pip install git+https://github.com/NVIDIA/apex.git@${APEX_REF}
RUN git clone -b main https://github.com/NVIDIA/Megatron-LM /src/megatron
ENV PYTHONPATH=/opt/megatron:$PYTHONPATH
